import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import http from "node:http";
import net from "node:net";
import { fileURLToPath } from "node:url";
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from "playwright-core";
import { afterAll, test } from "vitest";
import { FaultProxy } from "../../tests/e2e/support/proxy.mjs";
import { Server, WEB_DIST } from "../../tests/e2e/support/server.mjs";

/// A name for this machine that is not loopback to the browser: there a page on plain HTTP is not a secure context.
export const kPlainName = "ptyd.test";

const kExecutable = process.env.CHROMIUM ?? "/usr/bin/chromium";
/// Of two lists Chromium takes the last one, so Playwright's own stands here again. The last two are hidden pages of each
/// window's address bar, which take a renderer as long as ours does.
const kFeaturesOff = [
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  "LensOverlay",
  "MediaRouter",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "OptimizationHints",
  "NetworkTimeServiceQuerying",
  "AimEnabled",
  "PreconnectToSearch",
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
];
const kArguments = [
  "--no-sandbox",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-gpu-watchdog", // a process that stands still for a while is not broken
  "--no-proxy-server", // whatever the environment says: all is on this machine
  `--disable-features=${kFeaturesOff.join()}`,
  `--host-resolver-rules=MAP ${kPlainName} 127.0.0.1`,
];
/// Dark, as the tests of colours have it; Chromium without a window would say light.
const kUsual = { viewport: { width: 1000, height: 640 }, colorScheme: "dark" } as const;
/// For one thing to appear; generous, as the machine may be slow or stand still. expect.poll() has as much.
export const kPatience = 120_000 * Number(process.env.PTYD_TEST_SCALE ?? 1);

export const outFolder = fileURLToPath(new URL("./out/", import.meta.url));

/// The page's offer to its console.
declare global {
  interface Window {
    ptyd: {
      screenText(): string[];
      wholeText(): string[];
      screenSize(): { cols: number; rows: number };
    };
  }
}

function drawnOn({ pixelRatio, width, height }: { pixelRatio: number; width: number; height: number }): string[] {
  return [`--force-device-scale-factor=${pixelRatio}`, `--window-size=${width},${height}`];
}

/// Wishes of a test for its pages.
export interface Wishes {
  /// They draw with WebGL, as they do wherever there is one. Without it they draw with elements: here WebGL is software, and
  /// costs a page more than a second of the processor.
  readonly webgl?: boolean;
}
export const kWithWebgl: Wishes = { webgl: true };

const withoutWebgl = () => {
  const original = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, kind: string, ...rest: unknown[]) {
    return kind.startsWith("webgl") ? null : (original as (...all: unknown[]) => unknown).call(this, kind, ...rest);
  } as typeof original;
};

let browser: Promise<Browser> | undefined;
afterAll(async () => {
  await (await browser)?.close();
  browser = undefined;
});

export function launch(): Promise<Browser> {
  browser ??= chromium.launch({ executablePath: kExecutable, args: kArguments, timeout: kPatience });
  return browser;
}

type Proxy = FaultProxy & { readonly port: number; readonly target: { port: number } };

export interface Served {
  readonly server: Server;
  /// Every byte of the browser goes through it.
  readonly proxy: Proxy;
  /// As the browser sees the server, with a slash at the end.
  readonly url: string;
  /// The same with the token, as the server prints it.
  readonly link: string;
}

/// Some end by themselves when the first of them does.
function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/// One test: its servers, its pages, and what is kept when it fails.
export class Stage {
  private readonly servers: Server[] = [];
  private readonly pages: Page[] = [];
  private readonly endings: (() => Promise<void> | void)[] = [];
  /// Console errors that belong to the test, as networks that break do.
  readonly expected: RegExp[] = [];
  private readonly complaints: string[] = [];
  private readonly notes: string[] = [];

  constructor(
    private readonly name: string,
    private readonly wishes: Wishes,
  ) {}

  /// A server behind a proxy that can break.
  async serve(options: { host?: string; basePath?: string; args?: string[]; folder?: string } = {}): Promise<Served> {
    const proxy = (await FaultProxy.start(0)) as Proxy;
    this.endings.push(() => proxy.stop());
    const front = options.basePath ? await this.frontFor(proxy.port, options.basePath) : proxy.port;
    const url = `http://${options.host ?? "127.0.0.1"}:${front}${options.basePath ?? "/"}`;
    const server = await this.start({ args: ["--public-url", url, ...(options.args ?? [])], folder: options.folder });
    proxy.target.port = server.port;
    return { server, proxy, url, link: `${url}#token=${server.token}` };
  }

  /// A server with the page that was built last.
  async start(options: { args: string[]; folder?: string; listen?: string }): Promise<Server> {
    const env = { HISTFILE: "" }; // a shell that is hung up would write into a folder that is being removed
    const server = await Server.start({ ...options, env, args: ["--web-dir", WEB_DIST, ...options.args] });
    this.servers.push(server);
    return server;
  }

  /// A page of its own browser profile, opened at `address`.
  async page(address: string, options: BrowserContextOptions = {}): Promise<Page> {
    return this.tab(await (await this.context(options)).newPage(), address);
  }

  /// A page whose clock can be put forward: `page.clock.fastForward()`. By itself it goes as usual.
  async pageWithClock(address: string, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.context(options);
    await context.clock.install();
    return this.tab(await context.newPage(), address);
  }

  /// A page of a browser of its own, whose profile is kept in `folder`: it can be killed, and begun again. With a
  /// `screen` the browser draws in so many pixels of the device for one of the page, which emulation only pretends.
  async pageOfBrowser(
    address: string,
    folder: string,
    screen?: { pixelRatio: number; width: number; height: number },
  ): Promise<{ page: Page; kill: () => Promise<void> }> {
    const usual = { executablePath: kExecutable, args: kArguments, timeout: kPatience, ...kUsual };
    const options = screen ? { ...usual, args: [...kArguments, ...drawnOn(screen)], viewport: null } : usual;
    const context = await chromium.launchPersistentContext(folder, options);
    this.endings.push(() => context.close());
    const kill = async () => {
      const gone = context.waitForEvent("close");
      for (const pid of processesNaming(folder)) end(pid);
      await gone;
    };
    return { page: await this.tab(context.pages()[0] ?? (await context.newPage()), address), kill };
  }

  private async context(options: BrowserContextOptions): Promise<BrowserContext> {
    const context = await (await launch()).newContext({ ...kUsual, ...options });
    this.endings.push(() => context.close());
    if (!this.wishes.webgl) await context.addInitScript(withoutWebgl);
    return context;
  }

  /// Another tab beside `page`.
  async tabBeside(page: Page, address: string): Promise<Page> {
    return this.tab(await page.context().newPage(), address);
  }

  private async tab(page: Page, address: string): Promise<Page> {
    this.pages.push(page);
    page.setDefaultTimeout(kPatience);
    page.on("pageerror", (error) => this.complaints.push(`exception in the page: ${error.stack ?? error.message}`));
    page.on("console", (message) => {
      if (message.type() === "error") this.complaints.push(`console: ${message.text()}`);
    });
    await page.goto(address);
    return page;
  }

  /// Done when the test is over, however it ended; what was begun last ends first.
  atEnd(end: () => Promise<void> | void): void {
    this.endings.push(end);
  }

  /// Is said when the test fails: what it takes to have it fail again.
  note(words: string): void {
    this.notes.push(words);
  }

  /// Remembers what must not have happened.
  fail(what: string): void {
    this.complaints.push(what);
  }

  /// No complaint: no exception, no violation of the content security policy, no sanitizer.
  async finish(): Promise<void> {
    const unexpected = this.complaints.filter((text) => !this.expected.some((pattern) => pattern.test(text)));
    if (unexpected.length > 0) throw new Error(unexpected.join("\n"));
    for (const server of this.servers) if (server.alive) await server.stop();
    for (const server of this.servers) server.complain();
  }

  /// Screens and pictures for whoever has to find out what went wrong.
  async report(): Promise<string> {
    mkdirSync(outFolder, { recursive: true });
    const file = this.name.replace(/\W+/g, "_");
    const parts = this.servers.map((server) => `--- log\n${server.log.split("\n").slice(-40).join("\n")}`);
    for (const [index, page] of this.pages.entries()) {
      if (page.isClosed()) continue;
      await page.screenshot({ path: `${outFolder}${file}-${index}.png` }).catch(() => undefined);
      const text = await page.evaluate(() => window.ptyd?.screenText().join("\n")).catch(() => "");
      parts.push(`--- screen ${index} (${page.url()})\n${(text ?? "").trimEnd()}`);
    }
    parts.push(...this.notes, ...this.complaints);
    return parts.join("\n");
  }

  async cleanUp(): Promise<void> {
    for (const end of this.endings.reverse()) await end();
    for (const server of this.servers) server.cleanUp();
  }

  /// A reverse proxy as people run it: it has a site of its own and removes the base path before it passes on.
  private async frontFor(port: number, basePath: string): Promise<number> {
    const target = (url = "") => (url.startsWith(basePath) ? `/${url.slice(basePath.length)}` : undefined);
    const front = http.createServer((request, response) => {
      const path = target(request.url);
      if (path === undefined) return void response.writeHead(404).end("not behind this path");
      const passed = http.request(
        { host: "127.0.0.1", port, path, method: request.method, headers: request.headers },
        (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(response);
        },
      );
      passed.on("error", () => response.destroy());
      request.pipe(passed);
    });
    front.on("upgrade", (request, socket: net.Socket, head) => {
      const path = target(request.url);
      const upstream = net.connect(port, "127.0.0.1");
      const lines = Object.entries(request.headers).map(([name, value]) => `${name}: ${String(value)}`);
      upstream.write([`GET ${path ?? "/nowhere"} HTTP/1.1`, ...lines, "", ""].join("\r\n"));
      upstream.write(head);
      for (const end of [socket, upstream]) end.on("error", () => undefined);
      socket.pipe(upstream).pipe(socket);
    });
    await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve));
    this.endings.push(() => {
      front.closeAllConnections();
      front.close();
    });
    return (front.address() as net.AddressInfo).port;
  }
}

export function scenario(name: string, body: (stage: Stage) => Promise<void>, wishes: Wishes = {}): void {
  test(name, async () => {
    const stage = new Stage(name, wishes);
    try {
      await body(stage);
      await stage.finish();
    } catch (error) {
      (error as Error).message += `\n${await stage.report()}`;
      await stage.cleanUp().catch(() => undefined); // what went wrong first is what counts
      throw error;
    }
    await stage.cleanUp();
  });
}

/// Processes with `words` in their command line.
function processesNaming(words: string): number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const names = (pid: string) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(words);
    } catch {
      return false; // it has ended
    }
  };
  return pids.filter(names).map(Number);
}

export function saveFile(name: string, content: Buffer): void {
  mkdirSync(outFolder, { recursive: true });
  writeFileSync(outFolder + name, content);
}
