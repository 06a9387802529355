import { describe, expect, test, vi } from "vitest";
import { PtydError } from "../../client/src/index.ts";
import { mannersOf } from "../src/program.ts";
import { StateNotice } from "../src/state_notice.ts";
import type { NoticeContent } from "../src/views/notice.ts";

/// Words about a terminal of that thread, for somebody who may act or only look on.
function setUp({ threadId = "t", mayAct = true } = {}) {
  const view = {
    words: undefined as NoticeContent | undefined,
    say: (content: NoticeContent | undefined) => void (view.words = content),
    mayAct,
    manners: () => mannersOf({ threadId, terminalId: "default" }, undefined, view.mayAct),
    restart: vi.fn(),
    askAgain: vi.fn(),
    startAnew: vi.fn(),
    close: vi.fn(),
  };
  return { view, state: new StateNotice(view) };
}
const buttons = (content: NoticeContent | undefined) => content?.buttons?.map(({ label }) => label);

describe("of a terminal", () => {
  test("that could not be attached to it says why, what was not sent, and offers to try again", () => {
    const { view, state } = setUp();
    state.cannotOpen({ error: new PtydError("timeout", "No answer."), lost: "ls\r" }, true);
    expect(view.words?.text).toBe("“ls⏎” was not sent. This terminal cannot be opened: No answer.");
    expect(buttons(view.words)).toEqual(["Try again", "Close"]);
    view.words?.buttons?.[0]?.press();
    expect(view.askAgain).toHaveBeenCalledOnce();
  });

  test("that could not be started it offers nothing that starts one unasked", () => {
    const { view, state } = setUp();
    state.cannotOpen({ error: new PtydError("bad_cwd", "No such folder."), lost: "" }, false);
    expect(view.words?.text).toBe("This terminal cannot be opened: No such folder.");
    expect(buttons(view.words)).toEqual(["Close"]);
  });

  test("of an agent, which is done with it, there is nothing to try", () => {
    const { view, state } = setUp({ threadId: "acp/s" });
    state.cannotOpen({ error: new PtydError("not_found", "Unknown."), lost: "" }, true);
    expect(view.words?.text).toContain("The agent is done with this program");
    expect(buttons(view.words)).toEqual(["Close"]);
  });

  test("that ended it says before that what was not sent, once, and offers the same as before", () => {
    const { view, state } = setUp();
    state.ended({ exitCode: 3, exitSignal: null });
    state.notSent("ls");
    state.notDone("Restarting failed", { error: new PtydError("busy", "Not now."), lost: "pwd" });
    expect(view.words?.text).toBe("“pwd” was not sent. Restarting failed: Not now. Exited with code 3. Press Enter for a new shell.");
    expect(buttons(view.words)).toEqual(["Restart", "Close"]);
  });

  test("that ended it says the end again where something else was given up by the page", () => {
    const { view, state } = setUp();
    state.gone();
    const gone = view.words?.text ?? "";
    state.opening(false);
    state.notDone("Restarting failed", { error: new PtydError("closed", "Released."), lost: "" });
    expect(view.words?.text).toBe(gone);
    state.notDone("Restarting failed", { error: new PtydError("closed", "Released."), lost: "ls" });
    expect(view.words?.text).toBe(`“ls” was not sent. ${gone}`);
  });

  test("whose shell could not be started it says so once, behind what was not sent", () => {
    const { view, state } = setUp();
    state.failed("No such shell.", "ls\r");
    expect(view.words).toMatchObject({ text: "“ls⏎” was not sent. No such shell.", kind: "error" });
    expect(buttons(view.words)).toEqual(["Restart", "Close"]);
  });

  test("it offers something else when what the person may do has changed, and says nothing where nothing was said", () => {
    const { view, state } = setUp();
    state.renew();
    expect(view.words).toBeUndefined();
    state.ended({ exitCode: 3, exitSignal: null });
    state.notSent("ls");
    view.mayAct = false;
    state.renew();
    expect(view.words?.text).toBe("“ls” was not sent. Exited with code 3.");
    expect(buttons(view.words)).toEqual(["Close"]);
    state.clear();
    state.renew();
    expect(view.words).toBeUndefined();
  });

  test("that ended those who only look on are offered no restart", () => {
    const { view, state } = setUp({ mayAct: false });
    state.ended({ exitCode: 0, exitSignal: null });
    expect(buttons(view.words)).toEqual(["Close"]);
  });

  test("that is gone a shell is offered to those who may start one", () => {
    for (const [mayAct, offered] of [[true, ["New shell here", "Close"]], [false, ["Close"]]] as const) {
      const { view, state } = setUp({ mayAct });
      state.gone();
      expect(buttons(view.words)).toEqual(offered);
    }
  });
});
