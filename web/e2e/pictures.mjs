// Takes the picture of the README from the real page: PTYD_BIN=... node e2e/pictures.mjs
// It shows what it says: a real server, real shells, nothing painted.
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { Server, WEB_DIST } from "../../tests/e2e/support/server.mjs";

const folder = fileURLToPath(new URL("../pictures/", import.meta.url));
const kLongest = 200 * 1024; // bytes of a picture in a repository

const program = `\
import asyncio

async def echo(reader, writer):
    """Sends every line back."""
    while line := await reader.readline():
        writer.write("→ ".encode() + line)  # 你好 👋
        await writer.drain()

async def main():
    server = await asyncio.start_server(echo, "127.0.0.1", 4000)
    async with server:
        await server.serve_forever()

asyncio.run(main())
`;

const prompt = `PS1='\\[\\e[38;5;109m\\]\\w\\[\\e[m\\] \\$ '; PROMPT_COMMAND='printf "\\033]2;%s\\a" "\${TITLE:-bash}"'`;

async function seen(page, pattern) {
  const look = (source) => new RegExp(source, "m").test(window.ptyd?.screenText().join("\n").trimEnd() ?? "");
  await page.waitForFunction(look, pattern.source, { timeout: 30_000 });
}

async function line(page, text, wanted) {
  await page.keyboard.type(`${text}\n`);
  await seen(page, wanted);
}

async function newThread(page, name, folderName) {
  await page.getByRole("button", { name: "New thread" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill(name);
  await page.getByRole("textbox", { name: "Folder" }).fill(folderName);
  await page.keyboard.press("Enter");
  await seen(page, /[#$]$/);
}

async function scene(page, home) {
  mkdirSync(`${home}/echo`, { recursive: true });
  writeFileSync(`${home}/echo/server.py`, program);
  await seen(page, /[#$]$/);
  await line(page, `cd ~/echo; TITLE='htop'; ${prompt}; clear`, /echo [#$]$/);
  await page.keyboard.type("htop\n");
  await seen(page, /F10/);
  await newThread(page, "echo", `${home}/echo`);
  await line(page, `TITLE='server.py'; ${prompt}; clear`, /echo [#$]$/);
  await page.keyboard.press("Control+Shift+Backquote");
  await page.waitForFunction(() => document.querySelectorAll(".tab").length === 3);
  await seen(page, /[#$]$/);
  await line(page, `TITLE='python3 server.py'; ${prompt}; clear`, /echo [#$]$/);
  await line(
    page,
    "python3 server.py & sleep 2; exec 3<>/dev/tcp/127.0.0.1/4000; echo 'hello 世界' >&3; head -1 <&3",
    /→ hello/,
  );
  await page.keyboard.press("Control+Shift+Comma");
  await line(page, "vim -u NONE -N -c 'syntax on | set number bg=dark' server.py", /serve_forever/);
}

const server = await Server.start({ args: ["--web-dir", WEB_DIST] });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: [
    "--no-sandbox",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ],
});
try {
  const page = await browser.newPage({ viewport: { width: 1100, height: 620 }, colorScheme: "dark" });
  await page.goto(`${server.origin}/#token=${server.token}`);
  await scene(page, server.home);
  await page.locator(".sidebar li.active .dot.busy").waitFor();
  await page.mouse.move(700, 400);
  const picture = await page.screenshot();
  if (picture.length > kLongest) throw new Error(`the picture takes ${picture.length} bytes, more than ${kLongest}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}terminal.png`, picture);
} finally {
  await browser.close();
  await server.stop().catch(() => undefined);
  server.cleanUp();
}
