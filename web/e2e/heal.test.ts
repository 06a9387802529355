// Scrollback that heals: however bad the link was, what was printed is there to scroll to when it is quiet again.
import { Terminal as Emulator } from "@xterm/headless";
import { expect } from "vitest";
import { replay, type PtydClient, type Snapshot, type Terminal } from "../client/src/index.ts";
import { within } from "../../tests/e2e/support/deadline.mjs";
import { random, seed } from "../../tests/e2e/support/random.mjs";
import { clientOf } from "./clients.ts";
import { prompt, run, screen, seen, wholeText } from "./reading.ts";
import { kPatience, scenario } from "./stage.ts";

/// Bytes a second.
const kRate = 200_000;
/// Each is cut while lines are being skipped, but for the last one.
const kRounds = 6;
const kLines = 50_000;
/// Lines that are compared, of which each has one row.
const kDepth = 2000;

/// An emulator that shows what a client of the library is told.
class Shown {
  private readonly emulator: Emulator;
  skippedLines = 0;
  private wake: (() => void) | undefined;

  constructor(private readonly terminal: Terminal) {
    const { cols = 80, rows = 24 } = terminal.snapshot;
    this.emulator = new Emulator({ cols, rows, scrollback: 3 * kDepth, allowProposedApi: true });
    void this.startFrom(terminal.snapshot);
    terminal.onOutput.on((data) => this.write(data));
    terminal.onReset.on((snapshot) => void this.startFrom(snapshot));
    terminal.onResized.on((size) => this.emulator.write("", () => this.emulator.resize(size.cols, size.rows)));
    terminal.onResynced.on((lines) => (this.skippedLines += lines));
  }

  async heal(): Promise<void> {
    const text = await this.terminal.heal(kDepth);
    this.skippedLines = 0;
    await this.write(text);
  }

  /// Waits until `met`, which is asked again when output is shown.
  until(met: () => boolean, what: string): Promise<void> {
    const come = async () => {
      while (!met()) await new Promise<void>((resolve) => (this.wake = resolve));
    };
    return within(come(), what, kPatience);
  }

  lines(): string[] {
    return newest(this.rows(0));
  }

  /// Whether such a line is on the screen.
  shows(line: string): boolean {
    return this.rows(this.emulator.buffer.active.baseY).includes(line);
  }

  private rows(from: number): string[] {
    const { active } = this.emulator.buffer;
    const text = (row: number) => active.getLine(row)?.translateToString(true) ?? "";
    return Array.from({ length: active.length - from }, (_, index) => text(from + index));
  }

  private startFrom(snapshot: Snapshot): Promise<void> {
    const { cols = 80, rows = 24 } = snapshot;
    this.skippedLines = 0;
    this.emulator.write("", () => this.emulator.resize(cols, rows));
    return this.write(`\x1bc${replay(snapshot)}`);
  }

  private write(data: string): Promise<void> {
    return new Promise((resolve) =>
      this.emulator.write(data, () => {
        this.wake?.();
        resolve();
      }),
    );
  }
}

/// The last lines that hold something.
function newest(lines: string[]): string[] {
  const last = lines.findLastIndex((line) => line.trim() !== "");
  return lines.slice(Math.max(0, last + 1 - kDepth), last + 1);
}

/// The connection is lost, and found again.
async function cut(client: PtydClient, proxy: { cut(): void }): Promise<void> {
  const lost = new Promise<void>((resolve) => {
    const stop = client.onState.on((state) => {
      if (state.name !== "reconnecting") return;
      stop();
      resolve();
    });
  });
  proxy.cut();
  await within(lost, "the cut to be noticed", kPatience);
  client.retryNow();
  await within(client.whenOpen(), "a new connection", kPatience);
}

scenario("client: what a slow and broken link skipped is in the scrollback once it is healed", async (stage) => {
  stage.note(`PTYD_TEST_SEED=${seed}`);
  const below = random();
  const served = await stage.serve();
  const client = clientOf(stage, served);
  const terminal = await client.open({ threadId: "heals", cwd: "/", cols: 80, rows: 24 });
  const shown = new Shown(terminal);
  served.proxy.rules.rate = kRate;
  await terminal.write("stty -echo; PS1=\r");
  for (let round = 1; round <= kRounds; round++) {
    const before = shown.skippedLines;
    await terminal.write(`seq -f 'line %g of round ${round}' ${kLines}; echo en''d${round}\r`);
    await shown.until(() => shown.skippedLines > before, `lines that are skipped in round ${round}`);
    if (round < kRounds) {
      terminal.resize({ cols: 60 + below(60), rows: 20 + round }).catch(() => undefined); // it is cut as well
      await cut(client, served.proxy);
    }
    await shown.until(() => shown.shows(`end${round}`), `the end of round ${round}`);
  }
  await shown.heal();
  expect(shown.skippedLines).toBe(0);
  const kept = await client.snapshot({ threadId: "heals", format: "plain", scrollback: 2 * kDepth });
  expect(shown.lines()).toEqual(newest((kept.text ?? "").split("\n")));
  const numbers = shown.lines().flatMap((line) => /^line (\d+) of round 6$/.exec(line)?.[1] ?? []);
  expect(Number(numbers.at(-1))).toBe(kLines);
  expect(numbers.length).toBe(kDepth - 1);
  await terminal.write("echo healt''hy\r");
  await shown.until(() => shown.shows("healthy"), "output behind it");
});

scenario("page: what is looked at, selected and typed stays while the scrollback heals", async (stage) => {
  const { proxy, link } = await stage.serve();
  const page = await stage.page(link, { permissions: ["clipboard-read", "clipboard-write"] });
  await prompt(page);
  const isHole = (line: string) => line.includes("skipped]");
  proxy.rules.rate = kRate;
  await page.keyboard.type("clear; seq -f 'line %g of those that are printed' 100000; echo en''d\n");
  await expect.poll(async () => (await wholeText(page)).some(isHole)).toBe(true);
  const box = await page.locator(".xterm-screen").boundingBox();
  if (!box) throw new Error("no screen");
  await page.mouse.move(box.x + 1, box.y + box.height / 3);
  await page.mouse.down(); // whoever selects is not disturbed
  await seen(page, /^end$/m);
  await page.mouse.up(); // what was pressed has left the scrollback by now, and nothing of it is selected
  await page.mouse.down();
  await page.keyboard.type("echo ty''ped");
  await seen(page, /echo ty''ped$/m);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 3, { steps: 4 });
  await page.mouse.wheel(0, -200);
  const before = await screen(page);
  expect(before).not.toContain("ty''ped");
  expect((await wholeText(page)).some(isHole)).toBe(true);
  await page.mouse.up();
  const isWhole = async () => {
    const lines = await wholeText(page);
    return lines.includes("end") && !lines.some(isHole);
  };
  await expect.poll(isWhole).toBe(true);
  expect(await screen(page)).toBe(before);
  await page.keyboard.press("Control+Shift+C");
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(copied).toContain("line ");
  expect(before).toContain((await copied()).trim());
  await run(page, "", /^typed$/m);
  const lines = (await wholeText(page)).flatMap((line) => /^line (\d+) of those/.exec(line)?.[1] ?? []).map(Number);
  expect(lines.length).toBeGreaterThan(4900);
  expect(lines).toEqual(Array.from(lines, (_, index) => 100_000 - lines.length + 1 + index));
});
