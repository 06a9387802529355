import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { clientOf } from "./clients.ts";
import { prompt, run, seen } from "./reading.ts";
import { scenario } from "./stage.ts";

const kTabs = 16;
/// The patience of a request, in milliseconds.
const kRequest = 60_000;
const broken = [/WebSocket connection/, /ERR_/, /50[023]/];

const tabNames = (page: Page) => page.locator(".tab .name").allTextContents();
const tab = (page: Page, title: string) => page.locator(".tab", { has: page.getByText(title, { exact: true }) });
const front = (page: Page) => page.locator('.tab[aria-selected="true"] .name').textContent();

/// In the terminal in front. The shell's answer stands on the screen, so that the title has arrived as well.
async function name(page: Page, title: string): Promise<void> {
  await prompt(page);
  await run(page, `printf '\\033]2;${title}\\a'; echo is''-${title}`, new RegExp(`^is-${title}$`, "m"));
}

async function makeTabs(page: Page): Promise<string[]> {
  const names = Array.from({ length: kTabs }, (_, number) => `tab-${number}`);
  for (const title of names) {
    if (title !== names[0]) await page.getByRole("button", { name: "New terminal in this thread" }).click();
    await name(page, title);
  }
  await expect.poll(() => tabNames(page)).toEqual(names);
  return names;
}

/// Terminals that the page asks for from now on.
function opens(page: Page): string[] {
  const asked: string[] = [];
  page.on("websocket", (socket) =>
    socket.on("framesent", ({ payload }) => {
      if (String(payload).includes('"terminal.open"')) asked.push(String(payload));
    }),
  );
  return asked;
}

/// Chromium writes what a page stores some seconds later.
const isOnDisk = (folder: string, text: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.includes("leveldb") && file.endsWith(".log"))
    .some((file) => readFileSync(path.join(folder, file), "latin1").includes(text));

scenario("tabs come back in their order, also to a browser that was killed", async (stage) => {
  const folder = mkdtempSync(path.join(tmpdir(), "ptyd-profile-"));
  stage.atEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const { link } = await stage.serve();
  const first = await stage.pageOfBrowser(link, folder);
  const names = await makeTabs(first.page);
  await tab(first.page, "tab-3").click();

  const asked = opens(first.page);
  await first.page.reload();
  await seen(first.page, /^is-tab-3$/m);
  expect(await tabNames(first.page)).toEqual(names);
  expect(await front(first.page)).toBe("tab-3");
  expect(asked).toHaveLength(1); // the others ask for their screens when they are shown
  await tab(first.page, "tab-12").click();
  await seen(first.page, /^is-tab-12$/m);
  expect(asked).toHaveLength(2);

  const stored = await first.page.evaluate(() => Object.entries(localStorage).find(([key]) => key.includes("tabs"))?.[1]);
  await expect.poll(() => isOnDisk(folder, stored as string)).toBe(true);
  await first.kill();
  const second = await stage.pageOfBrowser(link, folder);
  await seen(second.page, /^is-tab-12$/m);
  expect(await tabNames(second.page)).toEqual(names);
});

scenario("of the tabs that are gone one sentence tells, and the others stay", async (stage) => {
  const served = await stage.serve();
  const page = await stage.page(served.link);
  await name(page, "stays");
  for (const title of ["goes-1", "goes-2"]) {
    await page.getByRole("button", { name: "New terminal in this thread" }).click();
    await name(page, title);
  }
  await tab(page, "stays").click();
  await page.goto("about:blank");
  const client = clientOf(stage, served);
  for (const { threadId, terminalId, title } of await client.list())
    if (title !== "stays") await client.close({ threadId, terminalId, deleteHistory: true });
  await page.goto(served.link);
  await seen(page, /^is-stays$/m);
  await page.getByText("2 of your terminals have gone.").waitFor();
  expect(await tabNames(page)).toEqual(["stays"]);
});

scenario("a list that does not come at first takes no tab away, and starts no shell", async (stage) => {
  const { link } = await stage.serve();
  const page = await stage.page(link);
  await name(page, "one");
  await page.getByRole("button", { name: "New terminal in this thread" }).click();
  await name(page, "two");
  let refusals = 2;
  await page.routeWebSocket(/\/ws/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((frame) => {
      const { id, body } = JSON.parse(String(frame)) as { id: string; body: { _tag: string; threadId?: string } };
      const isRefused = body._tag === "terminal.list" && body.threadId === undefined && refusals-- > 0;
      if (isRefused) socket.send(JSON.stringify({ id, error: { message: "not now", code: "busy" } }));
      else server.send(frame);
    });
  });
  await page.reload();
  await page.getByText("The list of terminals could not be loaded: not now").waitFor();
  await seen(page, /^is-two$/m);
  expect(await tabNames(page)).toEqual(["one", "two"]);
  expect(await page.locator(".sidebar li").count()).toBe(2);
});

scenario("a tab that is first shown while there is no connection is attached once there is one", async (stage) => {
  stage.expected.push(...broken);
  const { proxy, link } = await stage.serve();
  const page = await stage.pageWithClock(link);
  await name(page, "one");
  await page.getByRole("button", { name: "New terminal in this thread" }).click();
  await name(page, "two");
  await page.reload();
  await seen(page, /^is-two$/m);
  proxy.refuse = true;
  proxy.cut();
  await page.locator('.connection[data-state="reconnecting"]').waitFor();
  await tab(page, "one").click();
  const notice = page.locator(".terminal:not([hidden]) .notice");
  await notice.getByText("Attaching …").waitFor();
  await page.clock.fastForward(kRequest);
  await notice.getByText("This terminal cannot be opened: ").waitFor();
  await page.getByRole("button", { name: "Try again" }).click();
  await notice.getByText("Attaching …").waitFor();
  await page.clock.fastForward(kRequest);
  await page.getByRole("button", { name: "Try again" }).waitFor();
  proxy.heal();
  await page.clock.fastForward(kRequest);
  await seen(page, /^is-one$/m);
  await run(page, "echo ag''ain", /^again$/m);
});

scenario("a tab that was closed stays closed, and an address in front of what was in front", async (stage) => {
  const { link, url } = await stage.serve();
  const page = await stage.page(link);
  await name(page, "one");
  await page.getByRole("button", { name: "New terminal in this thread" }).click();
  await name(page, "two");
  const two = page.url();
  await tab(page, "one").click();
  const beside = await stage.tabBeside(page, two);
  await seen(beside, /^is-two$/m);
  expect(await tabNames(beside)).toEqual(["one", "two"]);
  await page.bringToFront();
  await tab(page, "one").locator(".close").click();
  await expect.poll(() => tabNames(page)).toEqual(["two"]);
  await page.goto(url);
  await seen(page, /^is-two$/m);
  expect(await tabNames(page)).toEqual(["two"]);
});

scenario("terminals are called by what runs in them and where, and a new one starts where the one in front is", async (stage) => {
  const { link } = await stage.serve();
  const page = await stage.page(link);
  await prompt(page);
  const names = () => page.locator(".tab .name").allTextContents();
  await run(page, "printf '\\033]2;\\007'; PROMPT_COMMAND=; PS1='$ '; mkdir -p a/src b/src; cd a/src; echo th''ere", /^there$/m);
  await page.getByRole("button", { name: "New terminal in this thread" }).click();
  await page.locator(".tab:nth-child(2)").waitFor();
  await prompt(page);
  await run(page, "printf '\\033]2;\\007'; PROMPT_COMMAND=; PS1='$ '; pwd", /\/a\/src$/m);
  await page.keyboard.type("cd ../../b/src; exec cat\n");
  await expect.poll(names).toEqual([expect.stringMatching(/^bash · src$/), expect.stringMatching(/^cat · src$/)]);
  await page.keyboard.press("Control+C");
  await page.getByRole("button", { name: "New terminal in this thread" }).click();
  await expect.poll(() => page.title()).toMatch(/bash/);
});

scenario("a terminal is renamed by menu and by key, on every page, and the next server knows its name", async (stage) => {
  stage.expected.push(...broken);
  const { server, url, link } = await stage.serve();
  const [page, other] = [await stage.page(link), await stage.page(link)];
  await Promise.all([prompt(page), prompt(other)]);
  const rename = async (to: string) => {
    const name = page.getByRole("textbox", { name: "Name" });
    await expect.poll(() => name.evaluate((field) => field === document.activeElement)).toBe(true);
    await name.fill(to);
    await page.keyboard.press("Enter");
  };
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Rename" }).click();
  await rename("deploy");
  await expect.poll(() => front(page)).toBe("deploy");
  await expect.poll(() => front(other)).toBe("deploy");
  await expect.poll(() => other.title()).toMatch(/deploy/);
  await page.keyboard.type("printf '\\033]2;its title\\a'; echo tit''led\n");
  await seen(page, /^titled$/m);
  expect(await front(page)).toBe("deploy");

  await server.kill();
  await page.locator('.connection[data-state="reconnecting"]').waitFor();
  await stage.start({ folder: server.folder, listen: `127.0.0.1:${server.port}`, args: ["--public-url", url] });
  await page.getByRole("button", { name: "New shell here" }).click();
  await prompt(page);
  await expect.poll(() => front(page)).toBe("deploy");

  await page.locator('.tab[aria-selected="true"]').focus();
  await page.keyboard.press("F2");
  await rename("");
  await expect.poll(() => front(page)).not.toBe("deploy");
});

scenario("the page is sent compressed to a browser that takes that", async (stage) => {
  const { link } = await stage.serve();
  const page = await stage.page(link);
  await prompt(page);
  const sizes = await page.evaluate(() =>
    (performance.getEntries() as PerformanceResourceTiming[])
      .filter((entry) => entry.transferSize > 0)
      .map((entry) => entry.transferSize),
  );
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(190_000);
  const manifest = await page.evaluate(async () => (await fetch("./manifest.webmanifest")).json());
  expect(manifest).toMatchObject({ display: "standalone", start_url: "./" });
});
