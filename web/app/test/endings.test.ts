import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { connected, settled } from "../../client/test/support.ts";
import { Endings } from "../src/endings.ts";
import type { Place } from "../src/route.ts";
import { Workspace } from "../src/workspace.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const place = { threadId: "t", terminalId: "default" };

/// A page with a tab of a shell that has ended, as far as the page knows.
async function setUp({ mayAct = true } = {}) {
  const { server, client } = await connected();
  await client.open({ ...place, cwd: "/srv" });
  server.terminal("t").pid = null;
  const workspace = new Workspace(client);
  await workspace.refresh();
  const places: Place[] = [place];
  const open = { places, remove: () => void places.pop() };
  const endings = new Endings(client, workspace, open, { mayAct: () => mayAct, failed: () => undefined });
  const closed = () => server.socket.bodies("terminal.close").length;
  return { server, workspace, places, endings, closed };
}

test("of a shell that has ended nothing stays when its tab is closed", async () => {
  const { places, endings, closed } = await setUp();
  void endings.closeTab(place);
  expect(places).toEqual([]);
  await settled();
  expect(closed()).toBe(1);
});

test("a shell that was started again elsewhere stays", async () => {
  const { server, endings, closed } = await setUp();
  server.terminal("t").pid = 4711;
  await endings.closeTab(place);
  expect(closed()).toBe(0);
});

test("a shell that was started again since the list on its way was asked for stays", async () => {
  const { server, workspace, endings, closed } = await setUp();
  void workspace.refresh(); // its answer still says that the shell has ended
  const closing = endings.closeTab(place);
  server.terminal("t").pid = 4711;
  await closing;
  expect(closed()).toBe(0);
});

test("a shell of which the server cannot be asked stays", async () => {
  const { server, endings, closed } = await setUp();
  server.errors.set("terminal.list", [{ message: "not now", code: "busy" }]);
  await endings.closeTab(place);
  expect(closed()).toBe(0);
});

test("a shell that is shown again meanwhile stays", async () => {
  const { places, endings, closed } = await setUp();
  const closing = endings.closeTab(place);
  places.push(place);
  await closing;
  expect(closed()).toBe(0);
});

test("somebody who may only look on ends nothing by closing a tab", async () => {
  const { server, endings, closed } = await setUp({ mayAct: false });
  const asked = server.socket.received.length;
  await endings.closeTab(place);
  expect([closed(), server.socket.received.length]).toEqual([0, asked]);
});
