import { expect, test } from "vitest";
import { kMaxOffer, offeredText } from "../src/osc52.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");

test.each([
  ["plain text", "c;aGVsbG8=", "hello"],
  ["UTF-8", `;${base64("汉字 😀")}`, "汉字 😀"],
  ["a question", "c;?", undefined],
  ["nothing", "c;", undefined],
  ["no base64", "c;???", undefined],
  ["no UTF-8", `c;${Buffer.from([0xff, 0xfe]).toString("base64")}`, undefined],
  ["as much as may be", `c;${base64("x".repeat((kMaxOffer / 4) * 3))}`, "x".repeat((kMaxOffer / 4) * 3)],
  ["one more", `c;${base64("x".repeat((kMaxOffer / 4) * 3 + 1))}`, undefined],
])("an offer of %s to the clipboard", (_name, parameters, text) => {
  expect(offeredText(parameters)).toBe(text);
});
