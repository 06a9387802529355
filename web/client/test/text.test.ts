import { describe, expect, test } from "vitest";
import { chunks, kMaxWrite, utf8Length } from "../src/text.ts";

describe("chunks", () => {
  test.each([
    ["nothing", "", 4, []],
    ["what fits", "abcd", 4, ["abcd"]],
    ["one more", "abcde", 4, ["abcd", "e"]],
    ["a pair at the edge", "abc😀", 4, ["abc", "😀"]],
    ["pairs only", "😀😀😀", 4, ["😀😀", "😀"]],
    ["a lone high surrogate at the edge", "abc\ud83dx", 4, ["abc", "\ud83dx"]],
    ["a limit below a pair", "😀", 1, ["\ud83d", "\ude00"]],
  ])("of %s", (_name, text, limit, expected) => {
    expect(chunks(text, limit)).toEqual(expected);
  });

  test("are at most 65536 units long", () => {
    expect(chunks("x".repeat(kMaxWrite))).toHaveLength(1);
    expect(chunks("x".repeat(kMaxWrite + 1)).map((piece) => piece.length)).toEqual([65536, 1]);
  });
});

test.each(["", "abc", "é", "汉字", "😀", "a\u0000b", "\ud83d", "x\ude00y", "😀é汉a"])(
  "the UTF-8 length of %j",
  (text) => {
    expect(utf8Length(text)).toBe(new TextEncoder().encode(text).length);
  },
);
