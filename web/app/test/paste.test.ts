import { describe, expect, test } from "vitest";
import { linesRunAtOnce, withoutPasteMarkers } from "../src/paste.ts";

describe("pasted text (security 33)", () => {
  test.each([
    ["ordinary text", "ls -l\n", "ls -l\n"],
    ["an end marker", "a\x1b[201~rm -r /\r", "arm -r /\r"],
    ["a begin marker", "\x1b[200~a", "a"],
    ["an end marker with an 8-bit introducer", "a\x9b201~b", "ab"],
    ["pieces that join when the inner one goes", "a\x1b[20\x1b[201~1~b", "ab"],
    ["pieces of both kinds, three deep", "\x1b[2\x1b[20\x9b200~1~01~x", "x"],
    ["markers and letters beyond the first plane", "\x1b[201~😀汉\x1b[201~", "😀汉"],
    ["a marker broken by a line end", "\x1b[20\n1~", "\x1b[20\n1~"],
    ["other sequences", "\x1b[31mred\x1b[0m \x1b[3~", "\x1b[31mred\x1b[0m \x1b[3~"],
  ])("keeps of %s what is safe", (_name, text, expected) => {
    expect(withoutPasteMarkers(text)).toBe(expected);
  });

  test("of a megabyte of nested pieces is clean in reasonable time", () => {
    const depth = 170_000;
    const nested = "\x1b[20".repeat(depth) + "1~".repeat(depth);
    expect(withoutPasteMarkers(nested)).toBe("");
    const flat = "\x1b[201~".repeat(170_000);
    expect(withoutPasteMarkers(flat)).toBe("");
  });
});

describe("lines that would run at once", () => {
  test.each([
    ["one line", "ls", false, 0],
    ["one line with its end", "ls\n", false, 0],
    ["two lines", "ls\npwd", false, 2],
    ["lines of an old Mac", "a\rb\rc", false, 3],
    ["lines of Windows", "a\r\nb\r\n", false, 2],
    ["many lines, bracketed", "a\nb\nc", true, 0],
  ])("%s", (_name, text, bracketed, lines) => {
    expect(linesRunAtOnce(text, bracketed)).toBe(lines);
  });
});
