import type { Page } from "playwright-core";
import { expect } from "vitest";
import { prompt, run, screen, seen } from "./reading.ts";
import { scenario } from "./stage.ts";

const broken = [/WebSocket connection/, /ERR_/, /50[023]/];

scenario("keys without an answer are noticed in seconds, and what may be lost is named", async (stage) => {
  stage.expected.push(...broken);
  const { proxy, link } = await stage.serve();
  const page = await stage.pageWithClock(link);
  await prompt(page);
  proxy.fallSilent();
  await page.keyboard.type("ls\n");
  await page.clock.fastForward(3000);
  await page.locator(".connection", { hasText: /No answer.*for \d+ s/ }).waitFor();
  await page.clock.fastForward(5000);
  await page.locator('.connection[data-state="reconnecting"], .connection[data-state="connecting"]').waitFor();
  await page.locator(".notice", { hasText: "The connection broke: “ls⏎” may not have arrived." }).waitFor();
  expect(await page.locator(".toast").count()).toBe(0);
  proxy.heal();
  await page.clock.fastForward(15_000);
  await page.locator('.connection[data-state="open"]').waitFor();
  await run(page, "echo he''ard", /^heard$/m);
  await page.locator(".notice").waitFor({ state: "hidden" });
});

scenario("where a server was killed a new shell starts in place, below the old text", async (stage) => {
  stage.expected.push(...broken);
  const { server, url, link } = await stage.serve();
  const page = await stage.page(link);
  await prompt(page);
  await run(page, "cd /usr; printf '\\033]2;my work\\a'; echo be''fore", /^before$/m);
  await page.locator(".tab", { hasText: "my work" }).waitFor();
  await server.kill();
  await page.locator('.connection[data-state="reconnecting"]').waitFor();
  await stage.start({ folder: server.folder, listen: `127.0.0.1:${server.port}`, args: ["--public-url", url] });
  await page.getByText("This terminal no longer exists on the server.").waitFor();
  await page.locator(".tab", { hasText: "my work" }).waitFor();
  const here = page.getByRole("button", { name: "New shell here" });
  await here.evaluate((button: HTMLButtonElement) => [1, 2].forEach(() => button.click()));
  await prompt(page);
  await seen(page, /^before$/m);
  await run(page, "echo af''ter", /^after$/m);
  expect((await screen(page)).match(/^after$/gm)).toEqual(["after"]);
  await page.locator(".notice").waitFor({ state: "hidden" });
});

interface Box {
  readonly name: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const boxes = (page: Page, selector: string): Promise<Box[]> =>
  page.locator(selector).evaluateAll((elements) =>
    elements
      .filter((element) => element.checkVisibility({ checkVisibilityCSS: true }))
      .map((element) => {
        const { left, right, top, bottom } = element.getBoundingClientRect();
        return { name: element.getAttribute("aria-label") ?? element.textContent ?? "", left, right, top, bottom };
      }),
  );

const overlap = (a: Box, b: Box) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/// Has the page say something: nothing is selected.
async function provoke(page: Page): Promise<void> {
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Copy" }).click();
  await page.locator(".toast").waitFor();
}

/// Buttons that a message lies over, other than its own. A message goes by itself, maybe before it was looked at.
async function covered(page: Page): Promise<string[]> {
  let toasts: Box[] = [];
  while (toasts.length === 0) {
    if ((await page.locator(".toast").count()) === 0) await provoke(page);
    toasts = await boxes(page, ".toast");
  }
  const buttons = await boxes(page, "button:not(.toast button), input");
  return buttons.filter((button) => toasts.some((toast) => overlap(button, toast))).map(({ name }) => name);
}

scenario("no message lies over anything that can be pressed", async (stage) => {
  const { link, url } = await stage.serve();
  const page = await stage.page(link);
  await prompt(page);
  for (const [width, height] of [
    [1200, 750],
    [390, 780],
    [600, 375],
  ] as const) {
    await page.setViewportSize({ width, height });
    if (width < 720) await page.locator(".sidebar").waitFor({ state: "hidden" }); // it is a drawer, and slides away
    expect(await covered(page)).toEqual([]);
    await page.getByRole("button", { name: "Search", exact: true }).click();
    expect(await covered(page)).toEqual([]);
    await page.keyboard.press("Escape");
  }
  const beside = await stage.tabBeside(page, `${url}#/main/default`);
  await prompt(beside);
  await beside.setViewportSize({ width: 500, height: 300 });
  await page.getByRole("button", { name: "Fit to this window" }).waitFor();
  expect(await covered(page)).toEqual([]);
});
