import { devices, type Page } from "playwright-core";
import { expect } from "vitest";
import { agreedSize, focused, prompt, run, screen, seen } from "./reading.ts";
import { scenario } from "./stage.ts";

/// A phone. Not its pixel ratio: a browser that only pretends it shows an empty WebGL canvas.
const phone = { ...devices["Pixel 7"], deviceScaleFactor: 1, defaultBrowserType: undefined };

scenario("on a phone the list is a drawer, and the bar has the keys that its keyboard lacks", async (stage) => {
  const { link } = await stage.serve();
  const page = await stage.page(link, phone);
  await prompt(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  await page.locator(".sidebar").waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Show or hide the list" }).tap();
  await page.locator(".sidebar .item").tap();
  await page.locator(".sidebar").waitFor({ state: "hidden" });

  await run(page, "echo fir''st", /^first$/m);
  await page.getByRole("button", { name: "Up", exact: true }).tap();
  await seen(page, /echo fir''st$/);
  await page.getByRole("button", { name: "Ctrl for the next key" }).tap();
  await page.keyboard.type("c");
  await seen(page, /\^C/);
  await prompt(page);

  await page.getByRole("button", { name: "Write a whole line" }).tap();
  await page.getByLabel("Line to send").fill("echo compo''sed 汉字");
  await page.getByRole("button", { name: "Send" }).tap();
  await seen(page, /^composed 汉字$/m);
  const bottom = async () => {
    const bar = await page.locator(".key-bar").boundingBox();
    return (bar?.y ?? Infinity) + (bar?.height ?? 0);
  };
  await expect.poll(bottom).toBeLessThanOrEqual(page.viewportSize()?.height ?? 0);
});

/// One finger from one height to another in so many milliseconds of its own clock, which is what tells a flick. It
/// rests before it leaves the glass, unless it is to be a flick.
async function drag(page: Page, from: number, to: number, { time = 400, flick = false } = {}): Promise<void> {
  const session = await page.context().newCDPSession(page);
  let now = Date.now() / 1000;
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", ...at: number[]) =>
    session.send("Input.dispatchTouchEvent", { type, touchPoints: at.map((y) => ({ x: 150, y })), timestamp: now });
  await touch("touchStart", from);
  for (let step = 1; step <= 20; step++) {
    now += time / 20 / 1000;
    await touch("touchMove", from + ((to - from) * step) / 20);
  }
  if (!flick) now += 1;
  await touch("touchEnd");
}

scenario("a finger scrolls what has gone by, and turns the wheel of programs that want one", async (stage) => {
  const { link } = await stage.serve();
  const page = await stage.page(link, phone);
  await prompt(page);
  await run(page, "seq 1 300", /^300$/m);
  await drag(page, 200, 600);
  await page.waitForFunction(() => !window.ptyd.screenText().includes("300"));
  expect(await screen(page)).toMatch(/^2\d\d$/m);
  await page.keyboard.press("Enter");
  await prompt(page);
  await drag(page, 200, 600);
  await page.waitForFunction(() => !window.ptyd.screenText().includes("300"));
  await page.getByRole("button", { name: "Up", exact: true }).tap();
  await seen(page, /[#$] seq 1 300$/);

  await page.keyboard.type(" | less\n");
  await seen(page, /^:$/m);
  expect(await screen(page)).toMatch(/^1$/m);
  await drag(page, 600, 200);
  await page.waitForFunction(() => !window.ptyd.screenText().includes("1"));
  await page.keyboard.type("q");
  await prompt(page);
});

scenario("what is typed ends a flick, and the last line stays in view", async (stage) => {
  const { link } = await stage.serve();
  const page = await stage.page(link, phone);
  await prompt(page);
  await run(page, "seq 1 3000", /^3000$/m);
  await drag(page, 200, 600, { time: 40, flick: true });
  await page.waitForFunction(() => !window.ptyd.screenText().includes("2970"));
  await run(page, "echo be''low", /^below$/m);
  const frames = 30; // a flick moves the lines in each
  const stayed = await page.evaluate(async (frames) => {
    for (let frame = 0; frame < frames; frame++) await new Promise(requestAnimationFrame);
    return window.ptyd.screenText().includes("below");
  }, frames);
  expect(stayed).toBe(true);
});

scenario("two fingers enlarge what is shown, and the program keeps its size", async (stage) => {
  const { link } = await stage.serve();
  const page = await stage.page(link, phone);
  await prompt(page);
  const size = await agreedSize(page);
  const height = () => page.locator(".app").evaluate((app) => app.getBoundingClientRect().height);
  const before = await height();
  const session = await page.context().newCDPSession(page);
  await session.send("Input.synthesizePinchGesture", { x: 100, y: 200, scaleFactor: 2, relativeSpeed: 2000 });
  await page.waitForFunction(() => visualViewport && visualViewport.scale > 1.5);
  expect(await height()).toBeCloseTo(before, 1);
  expect(await agreedSize(page)).toEqual(size);
});

scenario("text that an input method composes arrives once, when it is done", async (stage) => {
  const { link } = await stage.serve();
  const page = await stage.page(link);
  await prompt(page);
  await page.keyboard.type("echo '");
  const session = await page.context().newCDPSession(page);
  await session.send("Input.imeSetComposition", { text: "に", selectionStart: 1, selectionEnd: 1 });
  await session.send("Input.imeSetComposition", { text: "にほん", selectionStart: 3, selectionEnd: 3 });
  await session.send("Input.insertText", { text: "日本" });
  await seen(page, /echo '日本$/);
  await page.keyboard.type("'\n");
  await seen(page, /^日本$/m);
});

scenario("keys of an input method that composes what is searched are not the search's", async (stage) => {
  const { link } = await stage.serve();
  const page = await stage.page(link);
  await prompt(page);
  await page.keyboard.press("Control+Shift+F");
  const press = (isComposing: boolean) =>
    page.getByRole("searchbox").evaluate((field, isComposing) => {
      field.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true, isComposing }));
    }, isComposing);
  await press(true);
  expect(await page.locator(".search").isVisible()).toBe(true);
  await press(false);
  await page.locator(".search").waitFor({ state: "hidden" });
});

scenario("all of it can be reached without a mouse", async (stage) => {
  const { link } = await stage.serve();
  const page = await stage.page(link);
  await prompt(page);
  await run(page, "echo nee''dle", /^needle$/m);

  await page.keyboard.press("Control+Shift+F");
  await page.keyboard.type("needle");
  await page.getByText(/^\d+ of \d+$/).waitFor();
  await page.keyboard.press("Escape");
  await run(page, "echo ba''ck", /^back$/m);

  await page.keyboard.press("Control+Shift+Backquote");
  await page.waitForFunction(() => document.querySelectorAll(".tab").length === 2);
  await prompt(page);
  await run(page, "echo sec''ond", /^second$/m);
  await page.keyboard.press("Control+Shift+Comma");
  await seen(page, /^back$/m);

  await page.keyboard.press("Control+F6");
  await page.keyboard.press("Tab");
  await expect.poll(() => focused(page)).toMatch(/^End /);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await seen(page, /^second$/m);
  await page.keyboard.press("Control+F6");
  await page.keyboard.press("Control+F6");
  await page.keyboard.press("Delete");
  await page.waitForFunction(() => document.querySelectorAll(".tab").length === 1);
  await expect.poll(() => page.locator(".sidebar li").count()).toBe(2);
  await run(page, "echo sti''ll", /^still$/m);

  await page.keyboard.press("Control+F1");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "More" }).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect.poll(() => focused(page)).toMatch(/^Search/);
  await page.keyboard.press("Escape");
  await expect.poll(() => focused(page)).toBe("More");
});

scenario("where the list is a drawer, Ctrl+F6 opens it, and closes it on the way to the tabs", async (stage) => {
  const { link } = await stage.serve();
  const page = await stage.page(link, { viewport: { width: 720, height: 400 } });
  await prompt(page);
  const sidebar = page.locator(".sidebar");
  await sidebar.waitFor({ state: "hidden" });
  await page.keyboard.press("Control+F6");
  await sidebar.locator('.item[aria-current="true"]:focus').waitFor();
  await page.keyboard.press("Control+F6");
  await page.locator(".tab:focus").waitFor();
  await sidebar.waitFor({ state: "hidden" });
  await page.keyboard.press("Control+F6");
  await run(page, "echo ba''ck", /^back$/m);
});

scenario("the keys of the terminal itself all reach the program", async (stage) => {
  const { link } = await stage.serve();
  const page = await stage.page(link);
  await prompt(page);
  await run(page, "stty raw -echo; echo rea''dy; head -c 11 | od -An -tx1; stty sane", /ready/);
  for (const key of ["Tab", "Escape", "F1", "Control+b", "Shift+Tab", "Alt+x"]) await page.keyboard.press(key);
  await seen(page, /09 1b 1b 4f 50 02 1b 5b 5a 1b 78/);
  await prompt(page);
});

scenario("a new thread begins in the folder that was asked for", async (stage) => {
  const { link } = await stage.serve();
  const page = await stage.page(link);
  await prompt(page);
  await page.getByRole("button", { name: "New thread" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("build & deploy");
  await page.getByRole("textbox", { name: "Folder" }).fill("/usr/share");
  await page.keyboard.press("Enter");
  await seen(page, /\/usr\/share[#$]$/);
  await run(page, "pwd", /^\/usr\/share$/m);
  expect(page.url()).toContain("#/build%20%26%20deploy/default");
  await page.reload();
  await seen(page, /^\/usr\/share$/m);

  await page.getByRole("button", { name: "New thread" }).click();
  await page.getByRole("textbox", { name: "Folder" }).fill("/no/such/folder");
  await page.keyboard.press("Enter");
  await page.getByText(/This terminal cannot be opened: .*\/no\/such\/folder/).waitFor();
});

scenario("security 34: markup in titles, folders, names and messages stays text", async (stage) => {
  const { link, server } = await stage.serve();
  const page = await stage.page(link);
  await prompt(page);
  const markup = "<img src=x onerror=alert(1)><b>bold</b>";
  page.on("dialog", () => stage.fail("a dialog appeared"));
  await run(page, `printf '\\033]2;${markup}\\a'; echo tit''led`, /^titled$/m);
  await page.locator(".tab .name", { hasText: markup }).waitFor();
  await expect.poll(() => page.title()).toContain(markup);

  const folder = `${server.home}/<i>folder`;
  await run(page, `mkdir '${folder}'; echo ma''de`, /^made$/m);
  await page.getByRole("button", { name: "New thread" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill(markup);
  await page.getByRole("textbox", { name: "Folder" }).fill(folder);
  await page.keyboard.press("Enter");
  await prompt(page);
  await page.locator(".thread-head h2", { hasText: markup }).waitFor();
  await page.locator(".sidebar .detail", { hasText: "<i>folder" }).waitFor();

  await page.getByRole("button", { name: "New thread" }).click();
  await page.getByRole("textbox", { name: "Folder" }).fill(`/${markup}`);
  await page.keyboard.press("Enter");
  await page.locator(".notice", { hasText: markup }).waitFor();
  expect(await page.locator("img, b, i").count()).toBe(0);
  expect(await screen(page)).not.toContain("alert");
});
