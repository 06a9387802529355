import { expect, test, vi } from "vitest";
import type { Appearance } from "../src/appearance.ts";
import { ToldLook } from "../src/told_look.ts";

function setUp() {
  const page = { appearance: "dark" as Appearance };
  const look = new ToldLook({ cellSize: () => ({ width: 8, height: 16 }) }, () => page.appearance);
  const terminal = { describe: vi.fn(() => Promise.reject(new Error("no connection"))) };
  return { page, look, terminal };
}

test("a look that changes is told once, with all that was told at first", () => {
  const { page, look, terminal } = setUp();
  const first = look.take();
  look.renew(terminal);
  expect(terminal.describe).not.toHaveBeenCalled();
  page.appearance = "light";
  look.renew(terminal);
  look.renew(terminal);
  expect(terminal.describe).toHaveBeenCalledExactlyOnceWith({ ...first, colors: expect.objectContaining({ background: "#fcfcfd" }) as object });
});

test("a look that changes before the terminal is open is told once it is", () => {
  const { page, look, terminal } = setUp();
  look.take();
  page.appearance = "light";
  look.renew(undefined);
  look.renew(terminal);
  expect(terminal.describe).toHaveBeenCalledOnce();
});
