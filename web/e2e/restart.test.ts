import type { Page } from "playwright-core";
import { expect } from "vitest";
import { clientOf } from "./clients.ts";
import { prompt, run, seen } from "./reading.ts";
import { scenario } from "./stage.ts";

/// The patience of a request, and the time between two lists, in milliseconds.
const kRequest = 60_000;
const kRefresh = 10_000;

interface Asked {
  readonly id: string;
  readonly body: { readonly _tag: string; readonly attach?: boolean; readonly data?: string };
}

/// A request that has not reached the server.
interface Held {
  readonly send: () => void;
  /** In place of the server. */
  readonly answer: (frame: Record<string, unknown>) => void;
}

/// The page's way to the server. Requests that `holds` names are held; answers to those that `loses` names are lost.
class Line {
  holds: (asked: Asked) => boolean = () => false;
  loses: (asked: Asked) => boolean = () => false;
  private readonly held: Held[] = [];
  readonly lost = new Set<string>();
  readonly written: string[] = [];

  static async of(page: Page): Promise<Line> {
    const line = new Line();
    await page.routeWebSocket(/\/ws/, (socket) => {
      const server = socket.connectToServer();
      socket.onMessage((frame) => {
        const asked = JSON.parse(String(frame)) as Asked;
        const answer = (words: Record<string, unknown>) => socket.send(JSON.stringify({ id: asked.id, ...words }));
        line.ask(asked, { send: () => server.send(frame), answer });
      });
      server.onMessage((frame) => {
        const { id } = JSON.parse(String(frame)) as Partial<Asked>;
        if (id === undefined || !line.lost.has(id)) socket.send(frame);
      });
    });
    return line;
  }

  /// The next request that is held.
  async next(): Promise<Held> {
    await expect.poll(() => this.held.length).toBeGreaterThan(0);
    return this.held.shift() as Held;
  }

  private ask(asked: Asked, request: Held): void {
    if (asked.body._tag === "terminal.write") this.written.push(asked.body.data ?? "");
    if (this.loses(asked)) this.lost.add(asked.id);
    if (this.holds(asked)) this.held.push(request);
    else request.send();
  }
}

const restart = async (page: Page) => {
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Restart" }).click();
};

scenario("reports that the old program asked for do not reach the shell that takes its place", async (stage) => {
  const { link } = await stage.serve();
  const page = await stage.page("about:blank");
  const line = await Line.of(page);
  await page.goto(link);
  await prompt(page);
  await run(page, "printf '\\033[?1003h\\033[?1006h\\033[?1004h'; echo mou''se", /^mouse$/m);
  line.holds = ({ body }) => body._tag === "terminal.restart";
  await restart(page);
  const held = await line.next();
  const before = line.written.length;
  for (const at of [300, 340, 380]) await page.mouse.move(at, at);
  await page.mouse.wheel(0, 100);
  await page.keyboard.type("echo ne''w\n");
  held.send();
  await seen(page, /^new$/m);
  expect(line.written.slice(before).join("")).toBe("echo ne''w\r");
});

scenario("a tab whose start got no answer is attached to the shell that runs", async (stage) => {
  const { link } = await stage.serve();
  const page = await stage.pageWithClock("about:blank");
  const line = await Line.of(page);
  await page.goto(link);
  await prompt(page);
  line.loses = ({ body }) => body._tag === "terminal.open" && body.attach !== true;
  await page.getByRole("button", { name: "New terminal in this thread" }).click();
  await expect.poll(() => line.lost.size).toBe(1);
  await page.clock.fastForward(kRequest);
  await page.getByText("This terminal cannot be opened: ").waitFor();
  await page.getByRole("button", { name: "Try again" }).click();
  await prompt(page);
  await run(page, "echo the''re", /^there$/m);
  expect(line.lost.size).toBe(1);
});

scenario("a new shell that is wanted while the page asks for the old one starts, and has what is typed", async (stage) => {
  const served = await stage.serve();
  const page = await stage.pageWithClock("about:blank");
  const line = await Line.of(page);
  await page.goto(served.link);
  await prompt(page);
  await clientOf(stage, served).close({ threadId: "main", terminalId: "default" });
  await page.clock.fastForward(kRefresh);
  const here = page.getByRole("button", { name: "New shell here" });
  await here.waitFor();
  line.holds = ({ body }) => body._tag === "terminal.open" && body.attach === true;
  await page.locator('.tab[aria-selected="true"]').click();
  const held = await line.next();
  await here.click();
  await page.getByText("Starting …").waitFor();
  await page.keyboard.type("echo ty''ped\n");
  held.send();
  await seen(page, /^typed$/m);
  await page.locator(".notice").waitFor({ state: "hidden" });
});

scenario("a restart that fails says so once, with what was meant for the new shell, until there is one", async (stage) => {
  const { link } = await stage.serve();
  const page = await stage.page("about:blank");
  const line = await Line.of(page);
  await page.goto(link);
  await prompt(page);
  const words = page.locator(".notice-text");
  line.holds = ({ body }) => body._tag === "terminal.restart";
  await restart(page);
  const refused = await line.next();
  await page.keyboard.type("ls");
  refused.answer({ error: { code: "busy", message: "Not now." } });
  await words.getByText("“ls” was not sent. Restarting failed: Not now.", { exact: true }).waitFor();

  await restart(page);
  const failed = await line.next();
  await page.keyboard.type("pwd");
  const error = { type: "error", threadId: "main", terminalId: "default", createdAt: "", message: "No such shell." };
  failed.answer({ id: undefined, type: "push", sequence: 1, channel: "terminal.event", data: error });
  await words.getByText("“pwd” was not sent. No such shell.", { exact: true }).waitFor();

  await page.getByRole("button", { name: "Restart" }).click();
  (await line.next()).send();
  await page.locator(".notice").waitFor({ state: "hidden" });
  await run(page, "echo be''gun", /^begun$/m);
});
