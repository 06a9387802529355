import { devices, type Page } from "playwright-core";
import { expect } from "vitest";
import { prompt, run, wholeText } from "./reading.ts";
import { scenario } from "./stage.ts";

const phone = { ...devices["Pixel 7"], deviceScaleFactor: 1, defaultBrowserType: undefined };
const permissions = { permissions: ["clipboard-read", "clipboard-write"] };

const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

/// Selects the text of the line that is `text`, as a person does by whatever means.
const select = (page: Page, text: string) =>
  page.evaluate((wanted) => {
    const line = [...document.querySelectorAll(".read-line")].find((each) => each.textContent === wanted);
    getSelection()?.selectAllChildren(line as Element);
  }, text);

scenario("the whole text is there to read, to select and to copy, by keys alone", async (stage) => {
  const { link } = await stage.serve();
  const page = await stage.page(link, permissions);
  await prompt(page);
  await run(page, "clear; seq 5000; echo see https://example.com/a-page for more; echo en''d", /^end$/m);
  const numbers = Array.from({ length: 5000 }, (_, index) => String(index + 1));
  // Lines that were skipped on a busy machine come a little later.
  await expect.poll(async () => (await wholeText(page)).slice(0, 5000)).toEqual(numbers);
  await page.keyboard.press("Control+F2");
  const view = page.locator(".read-text");
  await view.waitFor();
  expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-readonly"))).toBe("true");
  const lines = await page.locator(".read-line").allTextContents();
  expect(lines).toContain("5000");
  expect(lines).toEqual(await wholeText(page)); // nothing here is broken at the margin
  // It opens where the screen was.
  await expect.poll(() => page.getByText("5000", { exact: true }).last().evaluate((line) => line.getBoundingClientRect().top)).toBeLessThan(640);
  expect(await page.getByRole("link", { name: "https://example.com/a-page" }).getAttribute("href")).toBe("https://example.com/a-page");
  await page.keyboard.press("Control+End");
  for (let line = 0; line < 4; line++) await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Home");
  await page.keyboard.press("Shift+End");
  const selected = await page.evaluate(() => getSelection()?.toString());
  expect(lines).toContain(selected);
  await page.keyboard.type("nothing changes");
  expect(await page.locator(".read-line").allTextContents()).toEqual(lines);
  await page.keyboard.press("Control+c");
  await expect.poll(() => clipboard(page)).toBe(selected);
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("Shift+End");
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.activeElement?.getAttribute("href"))).toBe("https://example.com/a-page");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter"); // on "Copy"
  await expect.poll(() => clipboard(page)).toBe("1");
  await page.keyboard.press("Escape");
  await view.waitFor({ state: "hidden" });
  await run(page, "echo ba''ck", /^back$/m);
});

scenario("on a phone a line is selected and copied in it", async (stage) => {
  const { link } = await stage.serve();
  const page = await stage.page(link, { ...phone, ...permissions });
  await prompt(page);
  await run(page, "echo a line that is longer than a phone is wide, so that it breaks; echo en''d", /^end$/m);
  await page.getByRole("button", { name: "More" }).tap();
  await page.getByRole("menuitem", { name: "Read as text" }).tap();
  const wanted = "a line that is longer than a phone is wide, so that it breaks";
  await page.locator(".read-line", { hasText: new RegExp(`^${wanted}$`) }).waitFor();
  await select(page, wanted);
  await page.getByRole("button", { name: "Copy", exact: true }).tap();
  await expect.poll(() => clipboard(page)).toBe(wanted);
  await page.getByRole("button", { name: "Done" }).tap();
  await run(page, "echo ba''ck", /^back$/m);
  await run(page, "clear; printf 'first middle last\\n'", /^first middle last$/m);
  await page.locator(".xterm-screen").evaluate((area) => {
    const { left, top, width, height } = area.getBoundingClientRect();
    const { cols, rows } = window.ptyd.screenSize();
    const at = { clientX: left + (width / cols) * 8.5, clientY: top + (height / rows) * 0.5 };
    const press = { pointerType: "touch", bubbles: true, cancelable: true, ...at };
    area.dispatchEvent(new PointerEvent("contextmenu", press)); // what a long press is to a page
  });
  await page.locator(".read-line", { hasText: /^first middle last$/ }).waitFor();
  expect(await page.evaluate(() => getSelection()?.toString())).toBe("middle");
});
