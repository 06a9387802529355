import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { output, prompt, run, screen, seen } from "./reading.ts";
import { kPlainName, scenario } from "./stage.ts";

const permissions = { permissions: ["clipboard-read", "clipboard-write"] };

/// Puts `text` on the clipboard as another program would, and pastes as a person does.
async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((words) => navigator.clipboard.writeText(words), text);
  await page.keyboard.press("Control+Shift+V");
}

/// Selects the last line that is `text`, by a drag over it.
async function select(page: Page, text: string): Promise<void> {
  const row = (await screen(page)).split("\n").lastIndexOf(text);
  const { rows, cols } = await page.evaluate(() => window.ptyd.screenSize());
  const box = await page.locator(".xterm-screen").boundingBox();
  if (!box || row < 0) throw new Error(`no line ${text}`);
  const y = box.y + ((row + 0.5) * box.height) / rows;
  await page.mouse.move(box.x + 1, y);
  await page.mouse.down();
  await page.mouse.move(box.x + ((text.length + 0.4) * box.width) / cols, y, { steps: 8 });
  await page.mouse.up();
}

scenario("a megabyte that is pasted arrives complete", async (stage) => {
  const { server, link } = await stage.serve();
  const page = await stage.page(link, permissions);
  await prompt(page);
  const file = `${server.home}/pasted`;
  const line = "0123456789abcdefghijklmnopqrstuvwxyz ÄÖÜ 汉字 😀 ";
  const text = Array.from(
    { length: Math.ceil(1_000_000 / 80) },
    (_, index) => `${String(index).padStart(8)} ${line}\n`,
  ).join("");
  await run(page, `stty -echo; echo rea''dy; cat > ${file}; stty echo; echo clo''sed`, /^ready$/m);
  await paste(page, text);
  await page.getByRole("button", { name: "Paste", exact: true }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByText(/K characters of input wait/).waitFor({ state: "hidden" });
  await page.keyboard.press("Control+d");
  await seen(page, /^closed$/m);
  const hash = (bytes: Buffer | string) => createHash("sha256").update(bytes).digest("hex");
  expect(readFileSync(file).length).toBe(Buffer.byteLength(text));
  expect(hash(readFileSync(file))).toBe(hash(text));
});

scenario("security 33: an end marker in pasted text does not end the paste", async (stage) => {
  const { server, link } = await stage.serve();
  const page = await stage.page(link, permissions);
  await prompt(page);
  const trap = `${server.home}/trap`;
  await paste(page, `echo one\x1b[20\x1b[201~1~\ntouch ${trap}\n`);
  await seen(page, `touch ${trap}`);
  await page.keyboard.press("Control+c");
  await prompt(page); // bash loses its way when it is typed to before that
  await run(page, "echo af''ter", /^after$/m);
  expect(existsSync(trap)).toBe(false);
});

scenario("several lines are not pasted into a program that would run each, unless confirmed", async (stage) => {
  const { link } = await stage.serve();
  const page = await stage.page(link, permissions);
  await prompt(page);
  await run(page, "bind 'set enable-bracketed-paste off'; echo of''f", /^off$/m);
  await page.keyboard.press("Enter");
  await paste(page, "echo o''ne\necho t''wo\n");
  await page.getByRole("heading", { name: /^Paste 2 lines, \d+ characters\?$/ }).waitFor();
  await page.keyboard.press("Escape");
  await run(page, "echo no''ne", /^none$/m);
  expect(await screen(page)).not.toMatch(/^one$/m);
  await paste(page, "echo o''ne\necho t''wo\n");
  await page.getByRole("button", { name: "Paste", exact: true }).click();
  await seen(page, /^one\n.*\ntwo$/m);
});

scenario("copying works on plain HTTP, where there is no clipboard object", async (stage) => {
  stage.expected.push(/Cross-Origin-Opener-Policy/); // means nothing there
  const { link } = await stage.serve({ host: kPlainName });
  const page = await stage.page(link);
  await prompt(page);
  expect(await page.evaluate(() => [window.isSecureContext, "clipboard" in navigator])).toEqual([false, false]);
  await run(page, "echo copied''-text", /^copied-text$/m);
  await select(page, "copied-text");
  await page.keyboard.press("Control+Shift+C");
  await page.keyboard.type("# ");
  await page.keyboard.press("Control+Shift+V");
  await seen(page, /# copied-text$/);
});

scenario("a line of a long text is found in the page and copied by keys, also on plain HTTP", async (stage) => {
  stage.expected.push(/Cross-Origin-Opener-Policy/); // means nothing there
  const { link } = await stage.serve({ host: kPlainName });
  const page = await stage.page(link);
  await prompt(page);
  await run(page, "clear; echo nee''dle; seq 4900; echo en''d", /^end$/m);
  await page.keyboard.press("Control+F2");
  await page.locator(".read-text").waitFor();
  expect(await page.evaluate(() => (window as unknown as { find(text: string, exact: boolean, back: boolean): boolean }).find("needle", true, true))).toBe(true); // as Ctrl+F does
  await page.keyboard.press("Home");
  await page.keyboard.press("Shift+End");
  await page.keyboard.press("Control+c");
  await page.keyboard.press("Escape");
  await page.keyboard.type("# ");
  await page.keyboard.press("Control+Shift+V");
  await seen(page, /# needle$/);
});

scenario("copying by the menu works as well, and says when nothing is selected", async (stage) => {
  const { link } = await stage.serve();
  const page = await stage.page(link, permissions);
  await prompt(page);
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Copy" }).click();
  await page.getByText(/^Nothing is selected/).waitFor();
  await run(page, "echo by''-menu", /^by-menu$/m);
  await select(page, "by-menu");
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Copy" }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe("by-menu");
});

scenario("a copy that the user allowed and the browser did not is told", async (stage) => {
  const { link } = await stage.serve();
  const page = await stage.page(link, permissions);
  await prompt(page);
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error("not allowed"));
    document.execCommand = () => false;
  });
  await run(page, "printf '\\033]52;c;aGVsbG8=\\a'; echo se''nt", /^sent$/m);
  await page.getByRole("button", { name: "Allow" }).click();
  await page.getByText("The browser did not allow copying.").waitFor();
});

scenario("security 31: a program may put text on the clipboard only when the user allows it, and never read it", async (stage) => {
  const { link } = await stage.serve();
  const page = await stage.pageWithClock(link, permissions);
  await prompt(page);
  await page.evaluate(() => navigator.clipboard.writeText("secret"));
  await run(page, "printf '\\033]52;c;aGVsbG8=\\a'; echo se''nt", /^sent$/m);
  await page.getByRole("button", { name: "Allow" }).waitFor();
  await page.clock.fastForward(10_000); // longer than a message stays that asks nothing
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("secret");
  await page.getByRole("button", { name: "Allow" }).click();
  await page.waitForFunction(async () => (await navigator.clipboard.readText()) === "hello");
  await page.locator(".frame").click();
  expect(await output(page, "printf '\\033]52;c;?\\a'; read -t 1 -n 1 x; echo \"[$x]\"")).toBe("[]");
});
