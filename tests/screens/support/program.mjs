// A program on a real pty, in front of xterm.js as its terminal: typed to, watched, and recorded.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEADLINE_MS } from "../../e2e/support/deadline.mjs";
import { Oracle } from "./xterm.mjs";

/// Where pty_run and screen_probe are: beside PTYD_PROBE.
export const kTools = (process.env.PTYD_PROBE ?? "").replace(/[^/]*$/, "");

/// A new folder that is gone after the test.
export function folder(context) {
  const path = mkdtempSync(join(tmpdir(), "ptyd-screens-"));
  context.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

export class Program {
  /// `argv` in `home`, which is its folder and its HOME.
  constructor(context, { rows = 24, cols = 80, argv, home, env = {} }) {
    [this.rows, this.cols, this.argv] = [rows, cols, argv];
    this.oracle = new Oracle(rows, cols);
    this.chunks = [];
    this.waiters = new Set();
    this.ended = false;
    const environment = {
      PATH: process.env.PATH,
      HOME: home,
      PWD: home,
      TERM: "xterm-256color",
      COLORTERM: "truecolor",
      LANG: "C.UTF-8",
      LC_ALL: "C.UTF-8",
      TZ: "UTC",
      ...(process.env.PTYD_SUITE && { PTYD_SUITE: process.env.PTYD_SUITE }), // what is left over is known by it
      ...env,
    };
    this.child = spawn(`${kTools}pty_run`, [rows, cols, ...argv], { cwd: home, env: environment, stdio: ["pipe", "pipe", "inherit"] });
    context.after(() => this.child.kill());
    this.oracle.terminal.onData((reply) => this.type(reply));
    this.child.stdin.on("error", () => {}); // it may end while something is typed
    this.child.stdout.on("data", (bytes) => this.take(bytes));
    this.child.stdout.on("end", () => this.oracle.write(Buffer.alloc(0)).then(() => this.end()));
  }

  take(bytes) {
    this.chunks.push(bytes);
    this.oracle.write(bytes).then(() => this.look());
  }

  end() {
    this.ended = true;
    this.look();
  }

  look() {
    for (const waiter of this.waiters) waiter();
  }

  /// Everything that it has printed.
  get output() {
    return Buffer.concat(this.chunks);
  }

  type(text) {
    if (!this.ended) this.child.stdin.write(text);
  }

  screenText() {
    return this.oracle.screen().join("\n");
  }

  /// Waits until the screen shows `sign`: a text, a pattern, or a question about the oracle.
  until(sign) {
    const shown = () => {
      if (typeof sign === "function") return sign(this.oracle);
      return sign instanceof RegExp ? sign.test(this.screenText()) : this.screenText().includes(sign);
    };
    return this.wait(shown, String(sign));
  }

  untilEnd() {
    return this.wait(() => this.ended, "the end of the program");
  }

  wait(happened, what) {
    return new Promise((resolve, reject) => {
      const settle = (finish, value) => {
        clearTimeout(timer);
        this.waiters.delete(look);
        finish(value);
      };
      const look = () => {
        if (happened()) settle(resolve);
        else if (this.ended) settle(reject, new Error(`${this.argv.join(" ")} ended before ${what}\n${this.screenText()}`));
      };
      const late = () => settle(reject, new Error(`${this.argv.join(" ")} never came to ${what}\n${this.screenText()}`));
      const timer = setTimeout(late, DEADLINE_MS);
      this.waiters.add(look);
      look();
    });
  }

  /// Types and waits, pair by pair: keys, what then is on the screen.
  async script(...steps) {
    for (let at = 0; at < steps.length; at += 2) {
      this.type(steps[at]);
      if (steps[at + 1] !== undefined) await this.until(steps[at + 1]);
    }
  }
}
