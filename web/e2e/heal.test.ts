// Scrollback that heals: however bad the link was, what was printed is there to scroll to when it is quiet again.
import { Terminal as Emulator } from "@xterm/headless";
import { expect } from "vitest";
import { replay } from "../client/src/index.ts";
import { EmulatorView, newest, spoil } from "../../tests/e2e/support/healing.mjs";
import { random, seed } from "../../tests/e2e/support/random.mjs";
import { clientOf } from "./clients.ts";
import { prompt, run, screen, seen, wholeText } from "./reading.ts";
import { scenario } from "./stage.ts";

/// Bytes a second.
const kRate = 200_000;
const kLines = 50_000;
/// Lines that are compared, of which each has one row.
const kDepth = 2000;

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
