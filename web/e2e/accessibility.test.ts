import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { TerminalInfo } from "../client/src/index.ts";
import { clientOf } from "./clients.ts";
import { Delegate } from "./delegate.ts";
import { prompt, run, seen } from "./reading.ts";
import { scenario } from "./stage.ts";

const kAxe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const kLooks = [
  { colorScheme: "dark", forcedColors: "none" },
  { colorScheme: "light", forcedColors: "none" },
  { colorScheme: "dark", forcedColors: "active" },
] as const;

/// Resolves once the page is drawn in that look: colours may change in more than one frame.
const drawnIn = (page: Page, { colorScheme, forcedColors }: (typeof kLooks)[number]) =>
  page.evaluate(
    (queries) =>
      new Promise<void>((resolve) => {
        let frames = 0;
        const onFrame = () => {
          frames = queries.every(([query, holds]) => matchMedia(query).matches === holds) ? frames + 1 : 0;
          if (frames === 2) resolve();
          else requestAnimationFrame(onFrame);
        };
        requestAnimationFrame(onFrame);
      }),
    [
      ["(prefers-color-scheme: dark)", colorScheme === "dark"],
      ["(forced-colors: active)", forcedColors === "active"],
    ] as [string, boolean][],
  );

/// The faults that axe-core finds in the page as it is now, in each look.
async function faults(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const look of kLooks) {
    await page.emulateMedia(look);
    await drawnIn(page, look);
    await page.evaluate(kAxe);
    const results = await page.evaluate(() => (window as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run());
    for (const { id, nodes } of results.violations) {
      const where = nodes.map((node) => `${node.html}: ${node.failureSummary ?? ""}`).join("\n  ");
      found.push(`${id} (${look.colorScheme}, forced colours ${look.forcedColors})\n  ${where}`);
    }
  }
  return found;
}

const announced = (page: Page) => page.locator('.visually-hidden[role="status"]');
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

scenario("axe-core finds nothing on the pages of a terminal, dark, light and in forced colours", async (stage) => {
  const { link } = await stage.serve();
  const page = await stage.page(link);
  await prompt(page);
  await press(page, "New terminal in this thread");
  await page.locator(".tab:nth-child(2)").waitFor();
  await prompt(page);
  expect(await faults(page)).toEqual([]);
  await page.keyboard.press("Control+F3");
  await run(page, "echo rea''dable", /^readable$/m);
  expect(await faults(page)).toEqual([]);
  await press(page, "Search");
  await page.getByLabel("Search in this terminal").fill("readable");
  await page.locator(".search .count", { hasText: "of" }).waitFor();
  expect(await faults(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await press(page, "More");
  expect(await faults(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.locator("section.terminal:not([hidden]) .xterm-helper-textarea").focus();
  await page.keyboard.press("Control+F1");
  await page.getByRole("heading", { name: "Keys" }).waitFor();
  expect(await faults(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await press(page, "New thread");
  await page.getByRole("dialog").waitFor();
  expect(await faults(page)).toEqual([]);
});

scenario("axe-core finds nothing on the sign-in page, the text view and the empty page", async (stage) => {
  const { url, server } = await stage.serve();
  stage.expected.push(/401/, /WebSocket connection/);
  const page = await stage.page(url);
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  expect(await faults(page)).toEqual([]);
  await page.getByLabel("Token").fill(server.token);
  await page.keyboard.press("Enter");
  await prompt(page);
  await page.keyboard.press("Control+F2");
  await page.locator(".read-text").waitFor();
  expect(await faults(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.locator(".tab .close").click();
  await page.locator(".empty-page").waitFor();
  expect(await faults(page)).toEqual([]);
});

scenario("in screen reader mode the rows are in the page, and typed, inserted and composed text arrives", async (stage) => {
  const { link } = await stage.serve();
  const page = await stage.page(link);
  await prompt(page);
  await page.keyboard.press("Control+F3");
  await expect.poll(() => announced(page).textContent()).toContain("Screen reader mode is on.");
  const terminal = page.locator("section.terminal:not([hidden])");
  await run(page, "echo ty''ped", /^typed$/m);
  await expect.poll(() => terminal.locator(".xterm-accessibility-tree").ariaSnapshot()).toContain("typed");
  await expect.poll(() => terminal.locator(".live-region").textContent()).toContain("typed");
  await page.keyboard.insertText("echo inser''ted");
  await page.keyboard.press("Enter");
  await seen(page, /^inserted$/m);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Input.imeSetComposition", { text: "echo comp", selectionStart: 9, selectionEnd: 9 });
  await devtools.send("Input.insertText", { text: "echo comp''osed" });
  await seen(page, "comp''osed");
  await page.keyboard.press("Enter");
  await seen(page, /^composed$/m);
  expect((await page.evaluate(() => window.ptyd.screenText())).join("\n")).not.toMatch(/insertedinserted|ttyyppeedd/);
});

scenario("the mode is remembered, and only the terminal in front is read", async (stage) => {
  const { link } = await stage.serve();
  const page = await stage.page(link);
  await prompt(page);
  await page.locator(".skip-links button").first().focus();
  expect((await page.locator(".skip-links button").first().boundingBox())?.width).toBeGreaterThan(50);
  await page.keyboard.press("Enter");
  await page.locator(".xterm-accessibility-tree").waitFor({ state: "attached" });
  await page.keyboard.press("Tab"); // to the other one
  await page.keyboard.press("Enter");
  await run(page, "echo he''re", /^here$/m);
  await press(page, "New terminal in this thread");
  await page.locator(".tab:nth-child(2)").waitFor();
  await prompt(page);
  await expect.poll(() => page.locator(".xterm-accessibility-tree").count()).toBe(1);
  await page.reload();
  await prompt(page);
  await page.locator(".xterm-accessibility-tree").waitFor({ state: "attached" });
});

scenario("a tab, a bell, a lost connection and a program that failed are said", async (stage) => {
  const served = await stage.serve();
  stage.expected.push(/WebSocket/);
  const page = await stage.page(served.link);
  await prompt(page);
  await run(page, "printf '\\033]2;first\\007\\007'; echo ra''ng", /^rang$/m);
  await expect.poll(() => announced(page).textContent()).toContain("Bell in first");
  await press(page, "New terminal in this thread");
  await page.locator(".tab:nth-child(2)").waitFor();
  await prompt(page);
  await page.keyboard.type("printf '\\033]2;second\\007'; read go; printf '\\007'\n");
  await expect.poll(() => page.title()).toBe("second – ptyd");
  await page.keyboard.press("Control+Shift+Comma");
  await expect.poll(() => announced(page).textContent()).toContain("first, ");
  await expect.poll(() => page.title()).toBe("first – ptyd");
  const client = clientOf(stage, served);
  const second = (await client.list()).find(({ title }) => title === "second") as TerminalInfo;
  const { threadId, terminalId } = second;
  await (await client.open({ threadId, terminalId, cwd: "/", attach: true })).write("\r");
  await expect.poll(() => page.title()).toBe("● first – ptyd");
  const delegate = await Delegate.connect(stage, served);
  await delegate.sh("exit 3", "/");
  await expect.poll(() => announced(page).textContent()).toMatch(/program failed, exited with code 3: sh -c/);
  const connection = page.locator('.connection[role="status"]');
  served.proxy.refuse = true;
  served.proxy.cut();
  await expect.poll(() => connection.textContent()).toContain("Reconnecting");
  served.proxy.heal();
  await press(page, "Retry now");
  await expect.poll(() => connection.textContent()).toContain("Live");
});

scenario("the page is light or dark as the system is, unless one is chosen", async (stage) => {
  const { link } = await stage.serve();
  const page = await stage.page(link, { colorScheme: "light" });
  await prompt(page);
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  expect(await ground()).toBe("rgb(252, 252, 253)");
  const told = (number: number) =>
    `stty -echo -icanon; printf '\\033]${number};?\\007'; head -c 24 | tail -c 20 | tr -d '\\007\\033'; stty sane`;
  await run(page, told(11), /rgb:fcfc\/fcfc\/fdfd/);
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(ground).toBe("rgb(15, 18, 22)");
  await run(page, told(11), /rgb:0f0f\/1212\/1616/);
  await press(page, "More");
  await page.getByRole("menuitem", { name: "Light colours" }).click();
  await expect.poll(ground).toBe("rgb(252, 252, 253)");
  await run(page, told(10), /rgb:2323\/2727\/2f2f/);
  await page.reload();
  await prompt(page);
  expect(await ground()).toBe("rgb(252, 252, 253)");
});

scenario("in forced colours the terminal in front is marked by more than colour", async (stage) => {
  const { link } = await stage.serve();
  const page = await stage.page(link, { forcedColors: "active" });
  await prompt(page);
  const style = (selector: string, name: string) =>
    page.locator(selector).evaluate((part, name) => getComputedStyle(part).getPropertyValue(name), name);
  expect(await style('.tab[aria-selected="true"]', "border-top-width")).toBe("2px");
  expect(await style(".thread li.active", "outline-style")).toBe("solid");
  expect(await style(".connection .lamp", "background-color")).not.toBe("rgba(0, 0, 0, 0)");
});
