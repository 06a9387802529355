import { expect, test } from "vitest";
import { isPushedUp, visibleHeight } from "../src/phone.ts";

test.each([
  ["all of it", { height: 732.19, scale: 1 }, "732.19px"],
  ["what the keyboard leaves", { height: 400, scale: 1 }, "400.00px"],
  ["the same however far one zooms in", { height: 732.19 / 3, scale: 3 }, "732.19px"],
  ["what the keyboard leaves of it then", { height: 400 / 1.7, scale: 1.7 }, "400.00px"],
  ["a height that is rounded to a float", { height: Math.fround(732.19 / 1.3), scale: Math.fround(1.3) }, "732.19px"],
])("the page is as high as %s", (_what, viewport, height) => {
  expect(visibleHeight(viewport)).toBe(height);
});

test.each([
  ["brought back when the keyboard pushed it up", { offsetTop: 80, scale: 1 }, true],
  ["brought back when the scale is not quite 1", { offsetTop: 80, scale: 1.0000002 }, true],
  ["left where it is under two fingers", { offsetTop: 80, scale: 1.2 }, false],
  ["left where it is when nothing moved it", { offsetTop: 0, scale: 1 }, false],
])("the page is %s", (_what, viewport, pushed) => {
  expect(isPushedUp(viewport)).toBe(pushed);
});
