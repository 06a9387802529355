import { execFileSync } from "node:child_process";
import { openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { devices, type Page } from "playwright-core";
import { expect } from "vitest";
import { Delegate } from "./delegate.ts";
import { prompt, run, screen, seen } from "./reading.ts";
import { saveFile, scenario } from "./stage.ts";

type Json = Record<string, unknown>;
const kShortName = "Agent 7d3f9a52-1c4…1d88";

/// A program goes on when it is told to, and not before. The FIFO is open all the time: opening it waits for nobody, and no
/// line is lost with a reader that is done.
class Gate {
  private readonly descriptor: number;
  constructor(path: string) {
    execFileSync("mkfifo", [path]);
    this.descriptor = openSync(path, "r+");
  }
  readonly wait = "read go < gate";
  open(): void {
    writeSync(this.descriptor, "\n");
  }
}

/// Requests of the page from now on.
function askedBy(page: Page): Json[] {
  const asked: Json[] = [];
  page.on("websocket", (socket) =>
    socket.on("framesent", ({ payload }) => asked.push((JSON.parse(String(payload)) as { body: Json }).body)),
  );
  return asked;
}

function pasteText(page: Page, text: string): Promise<void> {
  return page.locator(".terminal:not([hidden]) .frame").evaluate((frame, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    frame.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

const build =
  "printf '\\033[1m> app@1.4.0 test\\033[m\\n> node --test\\n\\n'; printf '\\033[32m✔\\033[m parses %s\\n' words numbers dates;";

scenario(
  "what an agent runs is seen live with its end, and nothing that is typed there goes anywhere",
  async (stage) => {
    const served = await stage.serve();
    const page = await stage.page(served.link);
    await prompt(page);
    const asked = askedBy(page);
    await page.reload();
    await prompt(page);
    const { home } = served.server;
    const gate = new Gate(join(home, "gate"));
    const agent = await Delegate.connect(stage, served);
    const script = `${build} ${gate.wait}; printf '\\033[31m✖\\033[m adds %s\\n' money; ${gate.wait}; exit 3`;
    const terminalId = await agent.sh(script, home);

    const group = page.locator(".sidebar .thread", { has: page.getByRole("heading", { name: kShortName }) });
    await group.locator(".name", { hasText: "sh -c" }).waitFor();
    await group.locator(".detail", { hasText: "running" }).waitFor();
    await run(page, "echo mi''ne", /^mine$/m); // whoever is at work stays there
    expect(page.url()).toBe(`${served.url}#/main/default`);

    await group.locator(".item").click();
    await seen(page, /^✔ parses dates$/m);
    await page.getByText("You can watch it, not type.").waitFor();
    expect(await page.evaluate(() => window.ptyd.screenSize())).toEqual({ cols: 120, rows: 40 });
    const overflow = () =>
      page.locator(".terminal:not([hidden]) .frame").evaluate((at) => at.scrollWidth > at.clientWidth);
    await expect.poll(overflow).toBe(false);
    saveFile("agent_running.png", await page.screenshot());

    await page.keyboard.type("hello\n");
    await page.getByText("An agent runs this program. It takes no input").waitFor();
    await pasteText(page, "from the clipboard");
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.setViewportSize({ width: 1000, height: 640 });
    gate.open();
    await seen(page, /^✖ adds money$/m);
    gate.open();
    await page.getByText("Exited with code 3. An agent ran “sh -c").waitFor();
    await group.locator("li.ended .detail", { hasText: "exited with code 3" }).waitFor();
    expect(await page.getByRole("button", { name: "Restart" }).count()).toBe(0);
    await page.keyboard.press("Enter");
    saveFile("agent_ended.png", await page.screenshot());

    const { result } = (await agent.ask("terminal/output", { terminalId })) as { result: { output: string } };
    expect(result.output).toMatch(/✖ adds money$/m);
    expect(result.output).not.toMatch(/hello|clipboard/);
    const meant = asked.filter((body) => body.terminalId === terminalId);
    const kinds = new Set(meant.map((body) => body._tag));
    expect([...kinds].filter((kind) => kind !== "terminal.ackOutput")).toEqual(["terminal.open"]);
    expect(meant.find((body) => body._tag === "terminal.open")?.attach).toBe(true);
    expect(await page.locator(".toast.error").count()).toBe(0);
  },
);

/// As many of a session's released programs are kept for people: the server's limit.
const kKeptForPeople = 64;

scenario("a tool call is seen with its title and status, and after the release until the limit", async (stage) => {
  const served = await stage.serve();
  const page = await stage.page(served.link);
  await prompt(page);
  const agent = await Delegate.connect(stage, served);
  const shows = (terminalId: string) => ({ content: [{ type: "terminal", terminalId }] });
  const terminalId = await agent.sh("echo built; read never", served.server.home, true);
  await page.locator(".agents .name", { hasText: "sh -c" }).waitFor();
  agent.update("build", { title: "Build the app", kind: "execute", status: "in_progress", ...shows(terminalId) });
  const item = page.locator(".agents .item", { hasText: "Build the app" });
  await item.locator(".detail", { hasText: /^execute: in progress$/ }).waitFor();
  await item.locator(".detail", { hasText: /^running since/ }).waitFor();
  await item.click();
  await seen(page, /^built$/m);
  await page.getByRole("tab", { name: /^running\. Build the app in progress$/ }).waitFor();
  saveFile("agent_tool_call.png", await page.screenshot());
  await page.getByRole("button", { name: "Stop Build the app" }).click();
  await page.getByText("An agent runs “sh -c 'echo built; read never'”, named “Build the app”.").waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();

  await agent.ask("terminal/release", { terminalId });
  agent.update("build", { status: "completed" });
  await item.locator(".detail", { hasText: /^execute: completed$/ }).waitFor();
  await item.locator(".detail", { hasText: /^ended by SIG[A-Z]+ after/ }).waitFor();
  await page.getByRole("tab", { name: /Build the app completed$/ }).waitFor();
  await page.reload();
  await item.locator(".detail", { hasText: "execute: completed" }).waitFor();
  await seen(page, /^built$/m);

  const keep = async (n: number) => {
    const later = await agent.sh("exit 0", served.server.home);
    await agent.ask("terminal/wait_for_exit", { terminalId: later });
    agent.update(`later-${n}`, { title: `Later ${n}`, status: "completed", ...shows(later) });
    await agent.ask("terminal/release", { terminalId: later });
  };
  for (let n = 1; n < kKeptForPeople; n++) await keep(n);
  await page.reload();
  await item.waitFor();
  await keep(kKeptForPeople);
  await page.reload();
  await page.locator(".agents .item", { hasText: `Later ${kKeptForPeople}` }).waitFor();
  await expect.poll(() => item.count()).toBe(0);
});

scenario("a program that takes input takes it from people, who may stop it", async (stage) => {
  const served = await stage.serve();
  const page = await stage.page(served.link);
  await prompt(page);
  const agent = await Delegate.connect(stage, served);
  const terminalId = await agent.sh('read line; echo "got $line"; exec sleep 1000', served.server.home, true);
  await page.locator(".agents .item").click();
  await page.getByText("It takes input: you can type, too.").waitFor();
  await page.keyboard.type("word\n");
  await seen(page, /^got word$/m);

  const waited = agent.ask("terminal/wait_for_exit", { terminalId });
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Stop program" }).click();
  await page.getByRole("button", { name: "Stop it" }).click();
  await waited;
  expect(await agent.ask("terminal/output", { terminalId })).toMatchObject({ error: { code: -32002 } });
  await expect.poll(() => page.locator(".agents").count()).toBe(0);
  expect(await screen(page)).not.toContain("got word");
});

scenario("on a phone a program is watched in letters that can be read", async (stage) => {
  const served = await stage.serve();
  const phone = { ...devices["Pixel 7"], deviceScaleFactor: 1, defaultBrowserType: undefined };
  const page = await stage.page(served.link, phone);
  await prompt(page);
  const agent = await Delegate.connect(stage, served);
  await agent.sh(`${build} exec sleep 1000`, served.server.home);
  await page.getByRole("button", { name: "Show or hide the list" }).tap();
  await page.locator(".agents .name", { hasText: "sh -c" }).waitFor();
  await expect.poll(async () => (await page.locator(".sidebar").boundingBox())?.x).toBe(0);
  saveFile("agent_list_phone.png", await page.screenshot());
  await page.locator(".agents .item").tap();
  await seen(page, /^✔ parses dates$/m);
  await page.locator(".key-bar").waitFor({ state: "hidden" });
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  const frame = page.locator(".terminal:not([hidden]) .frame");
  const moved = () => frame.evaluate((at) => ((at.scrollLeft = 50), at.scrollLeft));
  await expect.poll(moved).toBe(50);
  await frame.evaluate((at) => (at.scrollLeft = 0));
  saveFile("agent_phone.png", await page.screenshot());
});
