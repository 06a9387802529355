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

/// The page's way to the server. Requests that `holds` names wait for `release`; answers to those that `loses` names
/// are lost.
class Line {
  holds: (asked: Asked) => boolean = () => false;
  loses: (asked: Asked) => boolean = () => false;
  release: (() => void) | undefined;
  readonly lost = new Set<string>();
  readonly written: string[] = [];

  static async of(page: Page): Promise<Line> {
    const line = new Line();
    await page.routeWebSocket(/\/ws/, (socket) => {
      const server = socket.connectToServer();
      socket.onMessage((frame) => line.ask(JSON.parse(String(frame)) as Asked, () => server.send(frame)));
      server.onMessage((frame) => {
        const { id } = JSON.parse(String(frame)) as Partial<Asked>;
        if (id === undefined || !line.lost.has(id)) socket.send(frame);
      });
    });
    return line;
  }

  private ask(asked: Asked, send: () => void): void {
    if (asked.body._tag === "terminal.write") this.written.push(asked.body.data ?? "");
    if (this.loses(asked)) this.lost.add(asked.id);
    if (this.holds(asked)) this.release = send;
    else send();
  }
}

scenario("reports that the old program asked for do not reach the shell that takes its place", async (stage) => {
  const { link } = await stage.serve();
  const page = await stage.page("about:blank");
  const line = await Line.of(page);
  await page.goto(link);
  await prompt(page);
  await run(page, "printf '\\033[?1003h\\033[?1006h\\033[?1004h'; echo mou''se", /^mouse$/m);
  line.holds = ({ body }) => body._tag === "terminal.restart";
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Restart" }).click();
  await expect.poll(() => line.release).toBeDefined();
  const before = line.written.length;
  for (const at of [300, 340, 380]) await page.mouse.move(at, at);
  await page.mouse.wheel(0, 100);
  await page.keyboard.type("echo ne''w\n");
  line.release?.();
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
  await expect.poll(() => line.release).toBeDefined();
  await here.click();
  await page.getByText("Starting …").waitFor();
  await page.keyboard.type("echo ty''ped\n");
  line.release?.();
  await seen(page, /^typed$/m);
  await page.locator(".notice").waitFor({ state: "hidden" });
});
