import { describe, expect, test } from "vitest";
import { bytesOf, withCtrl } from "../src/key_bytes.ts";
import { allowedTarget } from "../src/links.ts";
import { baseName, endInWords, kMaxTitle, shortPath, shownTitle } from "../src/plain.ts";
import { formatPlace, parsePlace } from "../src/route.ts";
import { actionOf, kShortcuts } from "../src/shortcuts.ts";
import { loadSettings, saveSettings } from "../src/settings.ts";

describe("links (security 31)", () => {
  test.each([
    ["https://example.org/a?b=c", "https://example.org/a?b=c"],
    ["http://127.0.0.1:3000", "http://127.0.0.1:3000/"],
    ["mailto:a@example.org", "mailto:a@example.org"],
    ["javascript:alert(1)", undefined],
    ["JaVaScRiPt:alert(1)", undefined],
    [" \tjavascript:alert(1)", undefined],
    ["data:text/html,<script>", undefined],
    ["file:///etc/passwd", undefined],
    ["vscode://x", undefined],
    ["no address", undefined],
    ["", undefined],
  ])("%j leads to %j", (address, target) => {
    expect(allowedTarget(address)).toBe(target);
  });
});

describe("titles", () => {
  test.each([
    ["vim README.md", "vim README.md"],
    ["a\u001b[31mb\u0007c", "a [31mb c"],
    ["line\none", "line one"],
    ["\u202egpj.exe", "gpj.exe"],
    ["<img src=x>", "<img src=x>"],
    ["", ""],
  ])("%j is shown as %j", (title, shown) => {
    expect(shownTitle(title)).toBe(shown);
  });

  test("are at most 200 units long", () => {
    expect(shownTitle("x".repeat(kMaxTitle))).toHaveLength(kMaxTitle);
    expect(shownTitle("x".repeat(kMaxTitle + 1))).toBe("x".repeat(kMaxTitle - 1) + "…");
  });
});

test.each([
  ["/home/u/src", "/home/u", "~/src"],
  ["/home/u", "/home/u", "~"],
  ["/home/us", "/home/u", "/home/us"],
  ["/etc", "/", "/etc"],
  ["/etc", undefined, "/etc"],
])("%j for somebody at home in %j is %j", (path, home, short) => {
  expect(shortPath(path, home)).toBe(short);
});

test.each([
  ["/home/u/src", "src"],
  ["/home/u/", "u"],
  ["/", "/"],
  ["", "/"],
])("the name of %j is %j", (path, name) => {
  expect(baseName(path)).toBe(name);
});

test.each([
  [{ exitCode: 0, exitSignal: null }, "exited with code 0"],
  [{ exitCode: 127, exitSignal: null }, "exited with code 127"],
  [{ exitCode: 3, exitSignal: 0 }, "exited with code 3"],
  [{ exitCode: null, exitSignal: 9 }, "ended by SIGKILL"],
  [{ exitCode: null, exitSignal: 42 }, "ended by signal 42"],
  [{ exitCode: null, exitSignal: null }, "ended"],
])("%j in words", (exit, words) => {
  expect(endInWords(exit)).toBe(words);
});

describe("places in the address", () => {
  test.each([
    { threadId: "main", terminalId: "default" },
    { threadId: "a/b #?%", terminalId: "ü 汉" },
  ])("%j comes back", (place) => {
    expect(parsePlace(formatPlace(place))).toEqual(place);
  });

  test.each(["", "#", "#/", "#/a", "#/a/", "#/a/b/c", "#token=abc", "#/%zz/b"])("%j names none", (fragment) => {
    expect(parsePlace(fragment)).toBeUndefined();
  });
});

describe("the page's own keys", () => {
  const none = { ctrlKey: false, shiftKey: false, altKey: false, metaKey: false };

  test("are all different, and none is one that a program could miss", () => {
    const ways = kShortcuts.map(({ code, ctrl, shift, alt }) => `${code}${ctrl}${shift}${alt}`);
    expect(new Set(ways).size).toBe(ways.length);
    for (const shortcut of kShortcuts) expect(shortcut.ctrl).toBe(true);
  });

  test("are recognised exactly", () => {
    expect(actionOf({ ...none, code: "KeyF", ctrlKey: true, shiftKey: true })).toBe("search");
    expect(actionOf({ ...none, code: "KeyF", ctrlKey: true })).toBeUndefined();
    expect(actionOf({ ...none, code: "KeyF", ctrlKey: true, shiftKey: true, altKey: true })).toBeUndefined();
    expect(actionOf({ ...none, code: "KeyF", ctrlKey: true, shiftKey: true, metaKey: true })).toBeUndefined();
  });
});

describe("the key bar sends", () => {
  test.each([
    ["Escape", false, false, "\x1b"],
    ["Tab", false, false, "\t"],
    ["ArrowUp", false, false, "\x1b[A"],
    ["ArrowUp", false, true, "\x1bOA"],
    ["ArrowRight", true, false, "\x1b[1;5C"],
    ["Home", false, true, "\x1bOH"],
  ] as const)("%s (ctrl %s, application %s)", (key, ctrl, application, bytes) => {
    expect(bytesOf(key, ctrl, application)).toBe(bytes);
  });

  test.each([
    ["c", "\x03"],
    ["C", "\x03"],
    ["[", "\x1b"],
    [" ", "\x00"],
    ["?", "\x7f"],
    ["é", "é"],
    ["1", "1"],
    ["", ""],
  ])("Ctrl and %j", (text, bytes) => expect(withCtrl(text)).toBe(bytes));
});

test("settings work where there is no storage", () => {
  saveSettings({ ...loadSettings(), fontSize: 20 });
  expect(loadSettings().fontSize).toBe(14);
});
