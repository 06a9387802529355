import { expect, test, vi } from "vitest";
import { PtydError } from "../../client/src/index.ts";
import { Trouble } from "../src/trouble.ts";
import { TypeAhead } from "../src/type_ahead.ts";
import { Typing } from "../src/typing.ts";

const kMouse = "\x1b[<35;12;7M";

/// A terminal that is open, and notes what reaches it; `said` is what the page says of trouble.
function setUp() {
  const written: string[] = [];
  const said: (string | undefined)[] = [];
  let failure: PtydError | undefined;
  const write = (data: string) => {
    written.push(data);
    return failure ? Promise.reject(failure) : Promise.resolve();
  };
  const state = { awaited: false, over: false, ctrl: false };
  const view = {
    isAwaited: () => state.awaited,
    isOver: () => state.over,
    touched: vi.fn(),
    restart: vi.fn(),
    notSent: vi.fn(),
    takeStickyCtrl: () => state.ctrl && !(state.ctrl = false),
    say: vi.fn(),
  };
  const input = new TypeAhead();
  const open = { write, pendingInput: 0, cancelInput: () => undefined };
  input.passTo(open);
  const typing = new Typing(view, input, new Trouble((content) => said.push(content?.text)));
  return { written, said, state, view, input, open, typing, fail: (error: PtydError) => void (failure = error) };
}

test("a report that comes while a shell is awaited is kept for none, and what is typed is", () => {
  const { written, state, input, open, typing } = setUp();
  typing.take(kMouse);
  state.awaited = true;
  input.hold();
  for (const data of ["l", kMouse, "\x1b[I", "s"]) typing.take(data);
  input.passTo(open);
  expect(written).toEqual([kMouse, "l", "s"]);
});

test("a report ends no words about trouble, makes none, and takes no Ctrl of the key bar", async () => {
  const { written, said, state, typing, fail } = setUp();
  state.ctrl = true;
  fail(new PtydError("outcome_unknown", ""));
  typing.take(kMouse);
  await Promise.resolve();
  expect(said).toEqual([]);
  typing.take("c");
  expect(written).toEqual([kMouse, "\x03"]);
});

test("behind the end Enter starts a new shell, a text is named, and nothing is sent", () => {
  const { written, state, view, typing } = setUp();
  state.over = true;
  for (const data of ["x", kMouse, "\x1b[A", "ls -l", "\r"]) typing.take(data);
  expect(view.notSent.mock.calls).toEqual([["ls -l"]]);
  expect(view.restart).toHaveBeenCalledOnce();
  expect(written).toEqual([]);
});
