import { expect } from "vitest";
import { replay, type Terminal } from "../client/src/index.ts";
import { within } from "../../tests/e2e/support/deadline.mjs";
import { random, seed } from "../../tests/e2e/support/random.mjs";
import { clientOf } from "./clients.ts";
import { kPatience, scenario } from "./stage.ts";

/// Collects what a terminal says, from its snapshot on.
class Record {
  text: string;
  resets = 0;
  private wake: (() => void) | undefined;

  constructor(terminal: Terminal) {
    this.text = replay(terminal.snapshot);
    terminal.onOutput.on((data) => this.take(this.text + data));
    terminal.onReset.on((snapshot) => {
      this.resets += 1;
      this.take(replay(snapshot));
    });
  }

  /// Waits until it holds `wanted`.
  until(wanted: RegExp): Promise<void> {
    const come = async () => {
      while (!wanted.test(this.text)) await new Promise<void>((resolve) => (this.wake = resolve));
    };
    return within(come(), `${String(wanted)} in what the terminal says`, kPatience);
  }

  private take(text: string): void {
    this.text = text;
    this.wake?.();
  }
}

scenario("client: output that is cut at any byte comes once and in order", async (stage) => {
  const served = await stage.serve();
  const client = clientOf(stage, served);
  const terminal = await client.open({ threadId: "cuts", cwd: "/", cols: 80, rows: 24 });
  const record = new Record(terminal);
  stage.note(`PTYD_TEST_SEED=${seed}`);
  const below = random();
  await terminal.write("stty -echo; PS1=; for i in $(seq 1 20000); do echo \"[$i] €\"; done; echo en''d\r");
  for (let cut = 0; cut < 25; cut++) {
    served.proxy.cutAfterBytes(below(6000));
    const lost = new Promise<void>((resolve) => {
      const stop = client.onState.on((state) => {
        if (state.name !== "reconnecting") return;
        stop();
        resolve();
      });
      if (/end\r/.test(record.text)) resolve();
    });
    await within(lost, `cut ${cut}`, kPatience);
    served.proxy.heal();
    client.retryNow();
  }
  await record.until(/end\r/);
  const numbers = [...record.text.matchAll(/^\[(\d+)\] €\r$/gm)].map((match) => Number(match[1]));
  expect(numbers).toEqual(Array.from({ length: 20_000 }, (_, index) => index + 1));
  expect(record.resets).toBe(0);
});

scenario("client: sixteen megabytes are written in order to a program that reads slowly", async (stage) => {
  const served = await stage.serve();
  const client = clientOf(stage, served);
  const terminal = await client.open({ threadId: "bulk", cwd: "/" });
  const record = new Record(terminal);
  await terminal.write("stty raw -echo; echo rea''dy; head -c 16777216 | md5sum; stty sane; echo do''ne\r");
  await record.until(/ready/);
  const line = "0123456789abcde\n";
  await terminal.write(line.repeat((16 * 1024 * 1024) / line.length));
  await record.until(/done/);
  const { createHash } = await import("node:crypto");
  const expected = createHash("md5")
    .update(line.repeat((16 * 1024 * 1024) / line.length))
    .digest("hex");
  expect(record.text).toContain(expected);
});

scenario("client: refusals carry the server's code and name the field", async (stage) => {
  const served = await stage.serve();
  const client = clientOf(stage, served);
  await expect(client.open({ threadId: "x", cwd: "/no/such" })).rejects.toMatchObject({ code: "bad_cwd" });
  await expect(client.open({ threadId: "x", cwd: "/", cols: 3 })).rejects.toMatchObject({
    code: "bad_request",
    message: expect.stringContaining("body.cols") as string,
  });
  await expect(client.open({ threadId: "x", cwd: "/", attach: true })).rejects.toMatchObject({ code: "not_found" });
  const terminal = await client.open({ threadId: "x", cwd: "/" });
  expect((await client.list("x")).map((info) => info.status)).toEqual(["running"]);
  await terminal.close({ deleteHistory: true });
  expect(await client.list("x")).toEqual([]);
});

scenario("client: events tell of exit, restart and size", async (stage) => {
  const served = await stage.serve();
  const client = clientOf(stage, served);
  const other = clientOf(stage, served);
  const terminal = await client.open({ threadId: "events", cwd: "/", cols: 80, rows: 24 });
  const types: string[] = [];
  const heard = (type: string) => {
    const come = new Promise<void>((resolve) => {
      const stop = terminal.onEvent.on((event) => {
        if (event.type !== type) return;
        stop();
        resolve();
      });
    });
    return within(come, `the event ${type}`, kPatience);
  };
  const ofTheShell = ["output", "title", "activity", "process"]; // these come when the shell has got so far
  terminal.onEvent.on((event) => {
    if (!ofTheShell.includes(event.type)) types.push(event.type);
  });
  const same = await other.open({ threadId: "events", cwd: "/", attach: true });
  const resized = heard("resized");
  await same.resize({ cols: 100, rows: 30 });
  await resized;
  expect(terminal.snapshot).toMatchObject({ cols: 100, rows: 30 });
  const exited = heard("exited");
  await same.write("exit 7\r");
  await exited;
  expect(terminal.snapshot).toMatchObject({ status: "exited", exitCode: 7, exitSignal: null, pid: null });
  const restarted = heard("restarted");
  await same.restart();
  await restarted;
  expect(terminal.snapshot).toMatchObject({ status: "running", cols: 100, rows: 30 });
  expect(types).toEqual(["resized", "exited", "restarted"]);
});

scenario("client: how a terminal looks can be asked without opening it", async (stage) => {
  const served = await stage.serve();
  const terminal = await clientOf(stage, served).open({ threadId: "seen", cwd: "/", cols: 80, rows: 24 });
  const record = new Record(terminal);
  await terminal.write("PS1=; clear; printf '\\033[31mre%s\\n' d\r");
  await record.until(/red/);
  const other = clientOf(stage, served);
  const seen = await other.snapshot({ threadId: "seen", format: "plain" });
  expect(seen.text).toMatch(/^red$/m);
  expect(seen).toMatchObject({ cols: 80, rows: 24, alternate: false });
  const cells = await other.snapshot({ threadId: "seen", format: "cells" });
  expect(cells.screen?.flatMap((row) => row.spans)).toContainEqual({ text: "red", columns: 3, foreground: "1" });
});
