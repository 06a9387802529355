// Scrollback that heals: however bad the link was, what was printed is there to scroll to when it is quiet again.
import { Terminal as Emulator } from "@xterm/headless";
import { expect } from "vitest";
import { replay } from "../client/src/index.ts";
import { EmulatorView, newest, spoil } from "../../tests/e2e/support/healing.mjs";
import { random, seed } from "../../tests/e2e/support/random.mjs";
import { clientOf } from "./clients.ts";
import { prompt, run, screen, seen, wholeText } from "./reading.ts";
import { kPatience, scenario } from "./stage.ts";

/// Bytes a second.
const kRate = 200_000;
const kLines = 50_000;
/// Lines that are compared, of which each has one row.
const kDepth = 2000;

const isHole = (line: string) => line.includes("skipped]");

declare global {
  interface Window {
    /// The reply that heals has come, and waits to be told to the page with the output behind it, in one turn of its loop.
    isReplyHeld?: boolean;
  }
}

const holdReplyThatHeals = () => {
  window.WebSocket = class extends WebSocket {
    private readonly healing = new Set<string>();

    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols);
      let told: ((event: MessageEvent) => void) | null = null;
      Object.defineProperty(this, "onmessage", { set: (listener) => (told = listener) });
      const held: MessageEvent[] = [];
      this.addEventListener("message", (event: MessageEvent<string>) => {
        if (this.healing.delete(JSON.parse(event.data).id)) window.isReplyHeld = true;
        held.push(event);
        if (window.isReplyHeld && !event.data.includes("behind")) return;
        for (const each of held.splice(0)) told?.(each);
        window.isReplyHeld = false;
      });
    }

    override send(text: string): void {
      const { id, body } = JSON.parse(text) as { id: string; body: { historyFormat?: string } };
      if (body.historyFormat === "repaint") this.healing.add(id);
      super.send(text);
    }
  };
};

scenario("client: what a slow and broken link skipped is in the scrollback once it is healed", async (stage) => {
  stage.note(`PTYD_TEST_SEED=${seed}`);
  const served = await stage.serve();
  const client = clientOf(stage, served);
  const terminal = await client.open({ threadId: "heals", cwd: "/", cols: 80, rows: 24 });
  const view = new EmulatorView(terminal, { Emulator, replay, scrollback: 3 * kDepth });
  served.proxy.rules.rate = kRate;
  await spoil({ client, terminal, view, proxy: served.proxy, lines: kLines, below: random() });
  await view.heal(kDepth);
  expect(view.skippedLines).toBe(0);
  const kept = await client.snapshot({ threadId: "heals", format: "plain", scrollback: 2 * kDepth });
  const lines: string[] = newest(view.lines(), kDepth);
  expect(lines).toEqual(newest((kept.text ?? "").split("\n"), kDepth));
  const numbers = lines.flatMap((line) => /^line (\d+) of round 6$/.exec(line)?.[1] ?? []);
  expect(Number(numbers.at(-1))).toBe(kLines);
  expect(numbers.length).toBe(kDepth - 1);
  await terminal.write("echo healt''hy\r");
  await view.until(() => view.shows("healthy"), "output behind it");
});

scenario("client: a line that is longer than a reply may be heals without its begin", async (stage) => {
  const client = clientOf(stage, await stage.serve());
  const terminal = await client.open({ threadId: "heals", cwd: "/", cols: 80, rows: 24 });
  const view = new EmulatorView(terminal, { Emulator, replay, scrollback: kDepth });
  await terminal.write("echo bef''ore; head -c 1300010 /dev/zero | tr '\\0' x; printf en''d\r");
  await view.until(() => view.lines().some((line: string) => line.includes("xend")), "the end of the line");
  await view.heal(kDepth);
  const rows: string[] = view.lines();
  expect(rows.filter((row) => row === "x".repeat(80)).length).toBeGreaterThan(kDepth - 30);
  expect(rows.some((row) => row.startsWith("xxxxxxxxxxend"))).toBe(true);
});

scenario("page: what is looked at, selected and typed stays while the scrollback heals", async (stage) => {
  const { proxy, link } = await stage.serve();
  const page = await stage.page(link, { permissions: ["clipboard-read", "clipboard-write"] });
  await prompt(page);
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

scenario("page: a search keeps its term and its match while the scrollback heals", async (stage) => {
  const { proxy, link } = await stage.serve();
  const page = await stage.page(link, { permissions: ["clipboard-read", "clipboard-write"] });
  await prompt(page);
  proxy.rules.rate = kRate;
  await page.keyboard.type("clear; seq -f 'line %g of those that are printed' 40000; echo en''d\n");
  await expect.poll(async () => (await wholeText(page)).some(isHole)).toBe(true);
  await page.locator(".frame").dispatchEvent("pointerdown"); // it does not heal before the end of that
  await seen(page, /^end$/m);
  await page.keyboard.press("Control+Shift+F");
  await page.getByRole("button", { name: "Regular expression" }).press("Space");
  const field = page.getByLabel("Search in this terminal");
  await field.fill("line \\d+7 of");
  for (let older = 0; older < 3; older++) await field.press("Enter");
  const match = async () => {
    const [index, count] = ((await page.locator(".search .count").textContent()) ?? "").split(" of ").map(Number);
    const found = (await wholeText(page)).flatMap((line) => /^line \d+7 of/.exec(line) ?? []);
    return { text: found[(index ?? 0) - 1], isOfAll: found.length === count };
  };
  await expect.poll(match).toEqual({ text: "line 39967 of", isOfAll: true });
  expect((await wholeText(page)).some(isHole)).toBe(true);
  await page.evaluate(() => window.dispatchEvent(new PointerEvent("pointerup")));
  await expect.poll(async () => (await wholeText(page)).some(isHole)).toBe(false);
  await expect.poll(match).toEqual({ text: "line 39967 of", isOfAll: true });
  expect(await field.inputValue()).toBe("line \\d+7 of");
  await field.press("Enter");
  await expect.poll(match).toEqual({ text: "line 39957 of", isOfAll: true });
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+Shift+C");
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe("line 39957 of");
});

scenario("page: the scrollback heals once a full-screen program has ended, and is not fetched before", async (stage) => {
  const { proxy, link } = await stage.serve();
  const page = await stage.page("about:blank");
  const frames: string[] = [];
  page.on("websocket", (socket) => {
    socket.on("framesent", ({ payload }) => frames.push(String(payload)));
    socket.on("framereceived", ({ payload }) => frames.push(String(payload)));
  });
  const has = (text: string) => frames.some((frame) => frame.includes(text));
  await page.goto(link);
  await prompt(page);
  proxy.rules.rate = kRate;
  // It prints nothing for longer than any quiet that is waited for.
  const program = "printf '\\033[?1049h\\033[Hfull '; sleep 3; echo scr''een; read key; printf '\\033[?1049l'";
  await page.keyboard.type(`clear; seq -f 'line %g of those that are printed' 40000; ${program}; echo en''d\n`);
  await seen(page, /^full screen$/m);
  expect([has('"type":"resynced"'), has('"lines"')]).toEqual([true, false]);
  await page.keyboard.press("Enter");
  await seen(page, /^end$/m);
  await expect.poll(async () => (await wholeText(page)).some(isHole)).toBe(false);
  const lines = (await wholeText(page)).flatMap((line) => /^line (\d+) of those/.exec(line)?.[1] ?? []).map(Number);
  expect(lines.length).toBeGreaterThan(4900);
  expect(lines).toEqual(Array.from(lines, (_, index) => 40_000 - lines.length + 1 + index));
});

scenario("page: what is printed right behind the reply that heals is shown", async (stage) => {
  const served = await stage.serve();
  const client = clientOf(stage, served);
  const page = await stage.page(served.link);
  await prompt(page);
  const [entry] = await client.list();
  const other = await client.open({ threadId: entry?.threadId ?? "", terminalId: entry?.terminalId, cwd: "/", attach: true });
  await page.addInitScript(holdReplyThatHeals);
  await page.reload();
  await prompt(page);
  served.proxy.rules.rate = kRate;
  await page.keyboard.type("clear; seq 100000; echo en''d\n");
  await expect.poll(async () => (await wholeText(page)).some(isHole)).toBe(true);
  await page.waitForFunction(() => window.isReplyHeld, undefined, { timeout: kPatience });
  // Behind a key of its own the emulator would draw at once, before anything else is told.
  await other.write("echo beh''ind\r");
  await expect.poll(async () => (await wholeText(page)).some(isHole)).toBe(false);
  await seen(page, /^behind$/m);
  expect((await wholeText(page)).filter((line) => line === "end" || line === "behind")).toEqual(["end", "behind"]);
});
