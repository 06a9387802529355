import type { Page } from "playwright-core";
import { expect } from "vitest";
import { focused, prompt, run, screen, seen } from "./reading.ts";
import { scenario, type Served } from "./stage.ts";

const tabNames = (page: Page) => page.locator(".tab .name").allTextContents();
const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

/// Walks with the Tab key until what has the focus is called `name`.
async function reach(page: Page, name: RegExp): Promise<void> {
  for (let step = 0; step < 40; step++) {
    if (name.test(await focused(page))) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`the Tab key does not come to ${String(name)}`);
}

/// Opens the menu and takes what is called `label`, by arrows.
async function choose(page: Page, label: string): Promise<void> {
  await page.keyboard.press("Control+F6"); // into the list
  await reach(page, /^More$/);
  await page.keyboard.press("Enter");
  const focused = page.locator(".menu-item:focus");
  for (let step = 0; step < 40 && !(await focused.textContent())?.startsWith(label); step++)
    await page.keyboard.press("ArrowDown");
  expect(await focused.textContent()).toContain(label);
  await page.keyboard.press("Enter");
}

scenario("a working day by keys alone: ten tasks, and no mouse", async (stage) => {
  stage.expected.push(/401/, /WebSocket connection/);
  const { url, server } = await stage.serve();
  const page = await stage.page(url, { permissions: ["clipboard-read", "clipboard-write"] });

  // 1. Sign in.
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await page.keyboard.type(server.token);
  await page.keyboard.press("Enter");
  await prompt(page);

  // 2. Run a command, and read what it said before the screen.
  await run(page, "printf '\\033]2;first\\007'; seq 200; echo see https://example.com/a; echo do''ne", /^done$/m);
  await page.keyboard.press("Shift+PageUp");
  await expect.poll(() => screen(page)).not.toContain("\ndone\n");

  // 3. Find a word.
  await page.keyboard.press("Control+Shift+F");
  await page.keyboard.type("199");
  await page.locator(".search .count", { hasText: "1 of 1" }).waitFor();
  await page.keyboard.press("Escape");

  // 4. Copy a line.
  await page.keyboard.press("Control+F2");
  await page.locator(".read-text").waitFor();
  await page.keyboard.press("Control+Home");
  for (let line = 0; (await page.evaluate(() => getSelection()?.toString())) !== "200" && line < 250; line++) {
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Home");
    await page.keyboard.press("Shift+End");
  }
  await page.keyboard.press("Control+c");
  await expect.poll(() => clipboard(page)).toBe("200");

  // 5. Reach a link.
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.activeElement?.getAttribute("href"))).toBe("https://example.com/a");
  await page.keyboard.press("Escape");

  // 6. Paste.
  await page.keyboard.type("echo pasted-");
  await page.keyboard.press("Control+Shift+V");
  await page.keyboard.press("Enter");
  await seen(page, /^pasted-200$/m);

  // 7. A second terminal, and from one to the other.
  await page.keyboard.press("Control+Shift+Backquote");
  await expect.poll(async () => (await tabNames(page)).length).toBe(2);
  await prompt(page);
  await run(page, "echo sec''ond", /^second$/m);
  await page.keyboard.press("Control+Shift+Comma");
  await seen(page, /^pasted-200$/m);
  await page.keyboard.press("Control+Shift+Period");
  await seen(page, /^second$/m);

  // 8. Give it a name.
  await choose(page, "Rename");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.type("tests");
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await tabNames(page))[1]).toBe("tests");

  // 9. Larger text, and the table of keys.
  const before = await page.evaluate(() => window.ptyd.screenSize().cols);
  await choose(page, "Larger text");
  await expect.poll(() => page.evaluate(() => window.ptyd.screenSize().cols)).toBeLessThan(before);
  await page.keyboard.press("Control+F1");
  await page.getByRole("heading", { name: "Keys" }).waitFor();
  await page.keyboard.press("Escape");
  await run(page, "echo ba''ck", /^back$/m);

  // 10. End it; close the tab of the other, which goes on.
  await choose(page, "End terminal");
  await expect.poll(() => tabNames(page)).toEqual([expect.stringMatching(/first|bash/)]);
  await seen(page, /^pasted-200$/m);
  await page.keyboard.press("Control+F6");
  await page.keyboard.press("Control+F6");
  await page.keyboard.press("Delete");
  await page.locator(".empty-page").waitFor();
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain("New terminal");
  await page.keyboard.press("Control+F6");
  await reach(page, /first|bash/);
  await page.keyboard.press("Enter");
  await seen(page, /^pasted-200$/m);
});

/// Types `keys` into what `open` brings to the front while the server stands still, which it does until they are typed.
async function typeAhead(page: Page, server: Served["server"], open: string, keys: string): Promise<void> {
  server.signal("SIGSTOP");
  await page.keyboard.press(open);
  await page.keyboard.type(keys);
  server.signal("SIGCONT");
}

scenario("keys that are typed before a terminal is open arrive, in order", async (stage) => {
  const { link, server } = await stage.serve();
  const page = await stage.page(link);
  await prompt(page);
  await typeAhead(page, server, "Control+Shift+Backquote", "echo star''ted-early\n");
  await seen(page, /^started-early$/m);
  await page.keyboard.press("Control+Shift+Comma");
  await page.reload();
  await prompt(page);
  await typeAhead(page, server, "Control+Shift+Period", "echo atta''ched-early\n");
  await seen(page, /^attached-early$/m);
});

scenario("keys for a terminal that cannot be opened are named", async (stage) => {
  const { link, server } = await stage.serve({ args: ["--max-sessions", "1"] });
  const page = await stage.page(link);
  await prompt(page);
  await typeAhead(page, server, "Control+Shift+Backquote", "ls\n");
  await page.locator(".notice", { hasText: /“ls⏎” was not sent. This terminal cannot be opened: / }).waitFor();
});
