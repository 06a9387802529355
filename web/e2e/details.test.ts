import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { prompt, run, seen } from "./reading.ts";
import { kWithWebgl, scenario } from "./stage.ts";

async function openSearch(page: Page, text: string): Promise<void> {
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await page.getByLabel("Search in this terminal").fill(text);
}

const count = (page: Page, words: string) => page.locator(".search .count", { hasText: words }).waitFor();

scenario("a search has switches, says when there is too much, and marks what it shows", async (stage) => {
  const { link } = await stage.serve();
  const page = await stage.page(link);
  await prompt(page);
  await run(page, "clear; printf 'Alpha alpha\\nalphabet 42\\n'", /^alphabet 42$/m);
  await openSearch(page, "alpha");
  await count(page, "of 3");
  await page.getByRole("button", { name: "Match case" }).click();
  await count(page, "of 2");
  await page.getByRole("button", { name: "Whole words" }).click();
  await count(page, "of 1");
  await page.getByRole("button", { name: "Whole words" }).click();
  await page.getByLabel("Search in this terminal").fill("^alpha[a-z]+ \\d+$");
  await count(page, "none");
  await page.getByRole("button", { name: "Regular expression" }).click();
  await count(page, "1 of 1");
  await page.getByLabel("Search in this terminal").fill("(");
  await count(page, "not valid");
  await page.keyboard.press("Escape");
  await run(page, "clear; seq 3000", /^3000$/m);
  await openSearch(page, "[0-9]");
  await count(page, "more than 1000");
});

/// Graphics contexts that the page makes from its start on.
const countContexts = () => {
  const made: number[] = [];
  const original = HTMLCanvasElement.prototype.getContext;
  const known = new WeakSet<object>();
  HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, kind: string, ...rest: unknown[]) {
    const context = (original as (...all: unknown[]) => unknown).call(this, kind, ...rest);
    if (kind === "webgl2" && context && !known.has(context)) {
      known.add(context);
      made.push(1);
    }
    return context;
  } as typeof original;
  Object.assign(window, { contextsMade: () => made.length });
};

scenario("going from tab to tab makes no graphics context anew", async (stage) => {
  const { link } = await stage.serve();
  const page = await stage.page("about:blank");
  await page.addInitScript(countContexts);
  await page.goto(link);
  await prompt(page);
  for (const number of [2, 3]) {
    await page.getByRole("button", { name: "New terminal in this thread" }).click();
    await page.locator(`.tab:nth-child(${number})`).waitFor();
    await prompt(page);
  }
  const made = () => page.evaluate(() => (window as unknown as { contextsMade: () => number }).contextsMade());
  const before = await made();
  for (let turn = 0; turn < 40; turn++) await page.locator(`.tab:nth-child(${(turn % 3) + 1})`).click();
  expect(await made()).toBe(before);
  expect(before).toBeLessThanOrEqual(7);
  await run(page, "echo dra''wn", /^drawn$/m);
}, kWithWebgl);

scenario("Shift+Enter is told from Enter where the program asked for kitty's keys", async (stage) => {
  const { link } = await stage.serve();
  const page = await stage.page(link);
  await prompt(page);
  await run(page, "stty -echo -icanon; printf '\\033[>1uasked''-for'; head -c 7 | od -An -c; stty sane", /^asked-for/m);
  await page.keyboard.press("Shift+Enter");
  await seen(page, /033 {3}\[ {3}1 {3}3 {3}; {3}2 {3}u/);
  await run(page, "printf '\\033[<u'; stty -echo -icanon; echo go''es; head -c 1 | od -An -c; stty sane", /^goes$/m);
  await page.keyboard.press("Shift+Enter");
  await seen(page, /^ {2}\\[nr]$/m);
});

scenario("a file that is dropped does not take the page away", async (stage) => {
  const { link } = await stage.serve();
  const page = await stage.page(link);
  await prompt(page);
  const isKept = await page.evaluate(() => {
    const data = new DataTransfer();
    data.items.add(new File(["x"], "x.txt"));
    const event = new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true });
    document.querySelector(".terminals")?.dispatchEvent(event);
    return event.defaultPrevented;
  });
  expect(isKept).toBe(true);
  await page.getByText("Files cannot be dropped here.").waitFor();
});

scenario("at twice the size the menu scrolls in itself, and the page stays", async (stage) => {
  const { link } = await stage.serve();
  const page = await stage.page(link, { viewport: { width: 600, height: 375 } });
  await prompt(page);
  await page.getByRole("button", { name: "More" }).click();
  await page.keyboard.press("ArrowUp"); // to the last row
  const menu = await page.locator(".menu-list").boundingBox();
  expect((menu?.y ?? 0) + (menu?.height ?? 1000)).toBeLessThanOrEqual(375);
  expect(await page.locator(".header").evaluate((header) => header.getBoundingClientRect().top)).toBe(0);
  expect(await page.evaluate(() => document.documentElement.scrollTop)).toBe(0);
});

scenario("on a screen of two pixels for one all of it fits, in letters of the same size", async (stage) => {
  const folder = mkdtempSync(path.join(tmpdir(), "ptyd-profile-"));
  stage.atEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const { link } = await stage.serve();
  const wide = await stage.page(link);
  await prompt(wide);
  const letters = (page: Page) =>
    page.locator("section.terminal:not([hidden]) .xterm-screen").evaluate((area) => {
      const { width, height, right } = area.getBoundingClientRect();
      const { cols, rows } = window.ptyd.screenSize();
      return { width: width / cols, height: height / rows, fits: right <= innerWidth };
    });
  const usual = await letters(wide);
  const { page } = await stage.pageOfBrowser(link, folder, { pixelRatio: 2, width: 500, height: 780 });
  await prompt(page);
  expect(await page.evaluate(() => devicePixelRatio)).toBe(2);
  const drawn = await letters(page);
  expect(drawn.fits).toBe(true);
  expect(Math.abs(drawn.width - usual.width)).toBeLessThanOrEqual(1); // each is a whole number of the device's pixels
  expect(Math.abs(drawn.height - usual.height)).toBeLessThanOrEqual(1);
  await run(page, "echo sha''rp", /^sharp$/m);
});

scenario("behind the sign-in page nothing is reached by keys, and it has one heading", async (stage) => {
  const { url } = await stage.serve();
  stage.expected.push(/401/, /WebSocket connection/);
  const page = await stage.page(url);
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  expect(await page.locator(".app").evaluate((app) => (app as HTMLElement).inert)).toBe(true);
});

scenario("signing out shows the sign-in page, in the other tabs of this browser as well", async (stage) => {
  const { link, url } = await stage.serve();
  stage.expected.push(/401/, /WebSocket connection/);
  const page = await stage.page(link);
  await prompt(page);
  const other = await stage.tabBeside(page, url);
  await prompt(other);
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  for (const each of [page, other]) await each.getByRole("heading", { name: "Sign in" }).waitFor();
});

scenario("when the last tab is closed the focus is on what opens another", async (stage) => {
  const { link } = await stage.serve();
  const page = await stage.page(link);
  await prompt(page);
  await page.locator(".tab .close").click();
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("New terminal");
  await page.keyboard.press("Enter");
  await prompt(page);
});
