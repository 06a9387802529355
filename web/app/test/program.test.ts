import { describe, expect, test } from "vitest";
import {
  isAgents,
  mannersOf,
  programEndInWords,
  threadName,
  toolCallInWords,
  toolStatusInWords,
  wholeCommand,
} from "../src/program.ts";
import { scrollFor } from "../src/caret_follow.ts";
import { watchKeyOf } from "../src/watch_keys.ts";

const place = { threadId: "acp/s1", terminalId: "term_1" };
const shell = { threadId: "main", terminalId: "default" };
const watched = { commandLine: "npm test", takesInput: false };
const typedInto = { commandLine: "python3", takesInput: true };

test.each([
  ["main", false, "main"],
  ["acp", false, "acp"],
  ["acp/s1", true, "Agent s1"],
  ["acp/", true, "Agent"],
  ["acp/01234567890123456789", true, "Agent 01234567890123456789"],
  ["acp/012345678901234567890", true, "Agent 012345678901…7890"],
  ["acp/a\u202eb\nc", true, "Agent a b c"],
])("the thread %j: an agent's %s, called %j", (threadId, agents, name) => {
  expect(isAgents({ threadId })).toBe(agents);
  expect(threadName(threadId)).toBe(name);
});

test("a command line is shown without what could disguise it", () => {
  expect(wholeCommand({ ...watched, commandLine: "sh -c 'a\n\u202eb'" })).toBe("sh -c 'a b'");
  expect(wholeCommand({ ...watched, commandLine: "x".repeat(1024) })).toHaveLength(1024);
  expect(wholeCommand(undefined)).toBe("…");
});

test.each([
  [{ exitCode: 0, exitSignal: null }, "exited with code 0"],
  [{ exitCode: 126, exitSignal: null }, "could not be executed (code 126)"],
  [{ exitCode: 127, exitSignal: null }, "command not found (code 127)"],
  [{ exitCode: null, exitSignal: 15 }, "ended by SIGTERM"],
])("the end of a program, %j, in words", (end, words) => {
  expect(programEndInWords(end)).toBe(words);
});

test("a tool call in words", () => {
  expect(toolCallInWords({ title: "x", kind: "switch_mode", status: "in_progress" })).toBe("switch mode: in progress");
  expect(toolStatusInWords({ title: "x", kind: "other", status: "failed" })).toBe("failed");
  expect([toolCallInWords(undefined), toolStatusInWords(undefined)]).toEqual(["", ""]);
});

describe("what may be done with", () => {
  test("a shell: everything, by who may act", () => {
    expect(mannersOf(shell, undefined, true)).toMatchObject({ noInput: undefined, keepsSize: false, restarts: true });
    expect(mannersOf(shell, undefined, false).noInput).toMatch(/for viewing/);
    expect(mannersOf(shell, undefined, false)).toMatchObject({ keepsSize: false, restarts: false });
    expect(mannersOf(shell, undefined, false).ended({ exitCode: 3, exitSignal: null })).toBe("Exited with code 3.");
    expect(mannersOf(shell, undefined, true).ended({ exitCode: 3, exitSignal: null })).toBe(
      "Exited with code 3. Press Enter for a new shell.",
    );
  });

  test("a program that takes no input: it is watched, at its size, and never starts again", () => {
    const manners = mannersOf(place, watched, true);
    expect(manners).toMatchObject({ keepsSize: true, restarts: false });
    expect(manners.noInput).toMatch(/takes no input/);
    expect(manners.words).toBe("An agent runs “npm test”. You can watch it, not type.");
    expect(manners.ended({ exitCode: 2, exitSignal: null })).toBe("Exited with code 2. An agent ran “npm test”.");
  });

  test("a program that takes input: it is typed into by who may act, and keeps its size all the same", () => {
    expect(mannersOf(place, typedInto, true)).toMatchObject({ noInput: undefined, keepsSize: true, restarts: false });
    expect(mannersOf(place, typedInto, true).words).toMatch(/you can type/);
    expect(mannersOf(place, typedInto, false).noInput).toMatch(/for viewing/);
    expect(mannersOf(place, typedInto, false).words).toMatch(/watch it, not type/);
  });

  test("a program of which nothing is known yet: nothing", () => {
    expect(mannersOf(place, undefined, true).noInput).toMatch(/takes no input/);
  });

  test("a long command is named by its beginning", () => {
    const words = mannersOf(place, { ...watched, commandLine: "x".repeat(49) }, true).words;
    expect(words).toContain(`“${"x".repeat(47)}…”`);
  });
});

describe("where nothing is sent", () => {
  const none = { ctrlKey: false, altKey: false, metaKey: false };

  test.each([
    ["ArrowUp", { lines: -1 }],
    ["PageDown", { pages: 1 }],
    ["Home", { to: "top" }],
    ["ArrowRight", { columns: 8 }],
    ["a", "typed"],
    ["汉", "typed"],
    ["😀", "typed"],
    ["Enter", "typed"],
    ["Tab", undefined],
    ["Shift", undefined],
    ["F5", undefined],
  ])("the key %s means %j", (key, meaning) => {
    expect(watchKeyOf({ ...none, key })).toEqual(meaning);
  });

  test("keys of the browser stay the browser's", () => {
    expect(watchKeyOf({ ...none, key: "c", ctrlKey: true })).toBeUndefined();
    expect(watchKeyOf({ ...none, key: "ArrowLeft", altKey: true })).toBeUndefined();
    expect(watchKeyOf({ ...none, key: "v", metaKey: true })).toBeUndefined();
  });
});

test.each([
  ["in sight stays where it is", 100, 8, 100],
  ["below comes up to the lower edge", 100, 20, 220],
  ["above comes down to the upper edge", 100, 2, 40],
])("a caret %s", (_, top, row, scrolled) => {
  expect(scrollFor(top, 200, row, 20)).toBe(scrolled);
});
