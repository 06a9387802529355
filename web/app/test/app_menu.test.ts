import { expect, test, vi } from "vitest";
import { menuItems, type MenuHost } from "../src/app_menu.ts";
import { mannersOf } from "../src/program.ts";
import type { Settings } from "../src/settings.ts";
import type { TerminalView } from "../src/terminal_view.ts";

vi.mock("../src/access.ts", () => ({ logOut: () => undefined })); // it needs a page

/// Labels of the items that are about the terminal in front.
function offered(front: { mayAct: boolean } | undefined, isKnown = true): string[] {
  const place = { threadId: "t", terminalId: "default" };
  const view = front && { manners: mannersOf(place, undefined, front.mayAct) };
  const act = front?.mayAct && isKnown ? () => undefined : undefined;
  const host: MenuHost = {
    settings: () => ({ theme: "dark", renderer: "auto", fontSize: 14 }) as Settings,
    active: () => view as TerminalView | undefined,
    perform: () => undefined,
    change: () => undefined,
    restart: () => undefined,
    rename: () => act,
    closeTab: () => undefined,
    end: () => act,
  };
  const parts = menuItems(host)
    .map((item) => (item === "line" ? "line" : item.label))
    .join()
    .split(",line,");
  expect(parts).not.toContain("");
  return (parts.find((part) => part.includes("Close tab")) ?? "").split(",");
}

test("the menu offers to a terminal in front all that can be done to it", () => {
  expect(offered({ mayAct: true })).toEqual(["Clear", "Restart", "Rename", "Close tab", "End terminal"]);
});

test("the menu offers to end only what is known", () => {
  expect(offered({ mayAct: true }, false)).toEqual(["Clear", "Restart", "Close tab"]);
});

test("the menu offers those who only look on to close the tab", () => {
  expect(offered({ mayAct: false })).toEqual(["Close tab"]);
});

test("the menu offers nothing of a terminal where none is in front", () => {
  expect(offered(undefined)).toEqual([""]);
});
