import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { agreedSize, inkOf, output, prompt, run, screen, seen, type Ink } from "./reading.ts";
import { kWithWebgl, saveFile, scenario } from "./stage.ts";

const schema = new URL("../../protocol/terminal.schema.json", import.meta.url);
const openParams = (JSON.parse(readFileSync(schema, "utf8")) as { $defs: { OpenParams: { properties: object } } }).$defs
  .OpenParams.properties;

const size = (page: Page) => page.evaluate(() => window.ptyd.screenSize());

scenario("one link leads to a working shell, and the token is gone from the address", async (stage) => {
  const { server, link, url } = await stage.serve();
  const page = await stage.page(link);
  await prompt(page);
  await run(page, "echo hel''lo", /^hello$/m);
  expect(page.url()).toBe(`${url}#/main/default`);
  expect(await page.content()).not.toContain(server.token);
  expect(await page.evaluate(() => document.cookie)).toBe("");
  await page.locator(".connection", { hasText: "Live" }).waitFor();
}, kWithWebgl);

scenario("beside the terminal there is no scroll bar of the browser's own", async (stage) => {
  const { link } = await stage.serve();
  const page = await stage.page(link);
  await prompt(page);
  const overflow = await page.locator(".xterm-viewport").evaluate((viewport) => getComputedStyle(viewport).overflowY);
  expect(overflow).toBe("hidden");
});

scenario("without a token the page asks for one, and says when it is wrong", async (stage) => {
  stage.expected.push(/401/, /WebSocket connection/);
  const { server, url } = await stage.serve();
  const page = await stage.page(url);
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await page.getByLabel("Token").fill("wrong");
  await page.keyboard.press("Enter");
  await page.getByText("The server does not accept this token.").waitFor();
  expect(page.url()).toBe(url);
  expect(await page.locator(".tab").count()).toBe(0);
  await page.getByLabel("Token").fill(server.token);
  await page.keyboard.press("Enter");
  await prompt(page);
});

scenario("the printed address is taken in the field, and in a tab that shows the page already", async (stage) => {
  stage.expected.push(/401/, /WebSocket connection/);
  const folder = mkdtempSync(join(tmpdir(), "ptyd-token-"));
  stage.atEnd(() => rmSync(folder, { recursive: true }));
  const token = "a+token/that=is-percent-encoded-in-addresses";
  writeFileSync(join(folder, "token"), token, { mode: 0o600 });
  const { url } = await stage.serve({ args: ["--token-file", join(folder, "token")] });
  const printed = `${url}#token=${encodeURIComponent(token)}`;
  const page = await stage.page(`${url}#/main/default`);
  await page.getByLabel("Token").waitFor();
  await page.goto(`${url}#token=wrong`);
  await page.getByText("The server does not accept this token.").waitFor();
  expect(page.url()).toBe(`${url}#/main/default`);
  await page.goto(printed);
  await prompt(page);
  expect(page.url()).toBe(`${url}#/main/default`);

  const other = await stage.page(url);
  await other.getByLabel("Token").fill(printed);
  await other.keyboard.press("Enter");
  await prompt(other);
});

scenario("a reload comes back to the same shell with its screen", async (stage) => {
  const { link } = await stage.serve();
  const page = await stage.page(link);
  await prompt(page);
  const pid = await output(page, "echo $$");
  await run(page, "X=kept; printf '\\033[1;32mgreen\\033[m wide 汉字 😀\\n'", /^green wide 汉字 😀$/m);
  await page.reload();
  await seen(page, /^green wide 汉字 😀$/m);
  expect(await output(page, "echo $$ $X")).toBe(`${pid} kept`);
}, kWithWebgl);

scenario("a tab that was closed and is opened again from the list is as live as before", async (stage) => {
  const { link } = await stage.serve();
  const page = await stage.page(link);
  await prompt(page);
  await run(page, "echo be''fore", /^before$/m);
  for (const word of ["again", "and once more"]) {
    await page.locator(".tab .icon-button").click();
    await page.getByText("No terminal is open here.").waitFor();
    await page.locator(".sidebar .item").click();
    await seen(page, /^before$/m);
    await run(page, `echo ''${word}`, new RegExp(`^${word}$`, "m"));
  }
});

scenario("a tab that is closed in a flood is live again, and the flood ends by Ctrl-C", async (stage) => {
  const { link } = await stage.serve();
  const page = await stage.page(link);
  await prompt(page);
  await page.keyboard.type("yes a flood of lines that never ends\n");
  for (let times = 0; times < 3; times++) {
    await seen(page, /(a flood of lines that never ends\n){20}/);
    await page.locator(".tab .icon-button").click();
    await page.getByText("No terminal is open here.").waitFor();
    await page.locator(".sidebar .item").click();
  }
  await seen(page, /(a flood of lines that never ends\n){20}/);
  await page.keyboard.press("Control+c");
  await prompt(page);
  await run(page, "echo ca''lm", /^calm$/m);
});

scenario("what the page says to open a terminal is what the protocol knows, and no more", async (stage) => {
  const { link } = await stage.serve();
  const page = await stage.page(link);
  await prompt(page);
  const sent: Record<string, unknown>[] = [];
  page.on("websocket", (socket) =>
    socket.on("framesent", ({ payload }) => {
      const { body } = JSON.parse(String(payload)) as { body: Record<string, unknown> };
      if (body._tag === "terminal.open") sent.push(body);
    }),
  );
  await page.reload();
  await expect.poll(() => sent.length).toBeGreaterThan(0);
  const known = Object.keys(openParams);
  expect(Object.keys(sent[0] ?? {}).filter((name) => name !== "_tag" && !known.includes(name))).toEqual([]);
  expect(sent[0]).toMatchObject({ threadId: "main", terminalId: "default", attach: true });
});

scenario("the program knows the size of the window, also after a change", async (stage) => {
  const { link } = await stage.serve();
  const page = await stage.page(link);
  await prompt(page);
  const before = await agreedSize(page);
  await page.setViewportSize({ width: 720, height: 480 });
  await page.waitForFunction((cols) => window.ptyd.screenSize().cols < cols, before.cols);
  const after = await agreedSize(page);
  expect(after.cols).toBeLessThan(before.cols);
  expect(after.rows).toBeLessThan(before.rows);
}, kWithWebgl);

/// The terminal as it looks now, kept as a picture.
async function look(page: Page, name: string): Promise<Ink> {
  const picture = await page.locator(".frame").screenshot();
  saveFile(`${name}.png`, picture);
  return inkOf(page, picture);
}

scenario("vim and htop look right", async (stage) => {
  const { server, link } = await stage.serve();
  const page = await stage.page(link);
  await prompt(page);
  await page.keyboard.type(`vim -u NONE -N ${server.home}/note`);
  await page.keyboard.press("Enter");
  await seen(page, /^~$/m);
  await page.keyboard.type("ifirst\nsecond 汉字");
  await page.keyboard.press("Escape");
  await seen(page, /^first\nsecond 汉字\n~/);
  await expect.poll(async () => (await look(page, "vim")).ink).toBeGreaterThan(1000);
  await page.keyboard.type(":wq\n");
  await prompt(page);
  expect(await output(page, `cat ${server.home}/note`)).toBe("first\nsecond 汉字");

  await page.keyboard.type("htop");
  await page.keyboard.press("Enter");
  await seen(page, /Load average/);
  await seen(page, /F10/);
  await expect
    .poll(() => look(page, "htop"))
    .toSatisfy(({ ink, colours }: Ink) => ink > 10_000 && colours > 20);
  await page.keyboard.press("q");
  await prompt(page);
}, kWithWebgl);

scenario("a shell that ends says how, and Enter starts a new one", async (stage) => {
  const { link } = await stage.serve();
  const page = await stage.page(link);
  await prompt(page);
  await page.keyboard.type("exit 3\n");
  await page.getByText("Exited with code 3. Press Enter for a new shell.").waitFor();
  await page.locator(".sidebar .detail", { hasText: "exited with code 3" }).waitFor();
  await page.keyboard.press("Enter");
  await prompt(page);
  await run(page, "echo a''gain", /^again$/m);
  await page.locator(".notice").waitFor({ state: "hidden" });
});

scenario("what is typed behind the Enter that starts a new shell is for that one, and other text is named", async (stage) => {
  const { proxy, link } = await stage.serve();
  const page = await stage.page("about:blank");
  const restarts: string[] = [];
  page.on("websocket", (socket) =>
    socket.on("framesent", ({ payload }) => {
      if (String(payload).includes('"terminal.restart"')) restarts.push(String(payload));
    }),
  );
  await page.goto(link);
  await prompt(page);
  await page.keyboard.type("exit\n");
  await page.getByText("Press Enter for a new shell.").waitFor();
  await page.keyboard.insertText("ls -l");
  await page.getByText("“ls -l” was not sent. Exited with code 0. Press Enter for a new shell.").waitFor();
  proxy.rules.latency = 300; // the answer comes when all of it is typed
  await page.keyboard.type("\n\necho ea''rly\n");
  await seen(page, /^early$/m);
  expect(restarts).toHaveLength(1);
});

scenario("the list shows what is busy, and ending that asks first", async (stage) => {
  const { link } = await stage.serve();
  const page = await stage.page(link);
  await prompt(page);
  await page.keyboard.type("sleep 1000\n");
  await page.locator(".sidebar .dot.busy").waitFor();
  await page.locator(".sidebar li").hover();
  await page.locator(".sidebar li .icon-button").click();
  await page.getByRole("heading", { name: "End this terminal?" }).waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
  expect(await page.locator(".sidebar li").count()).toBe(1);
  await page.locator(".sidebar li").hover();
  await page.locator(".sidebar li .icon-button").click();
  await page.getByRole("button", { name: "End it" }).click();
  await page.getByText("No terminals yet.").waitFor();
  await expect.poll(() => page.locator(".tab").count()).toBe(0);
});

scenario("clear empties the screen and leaves a prompt", async (stage) => {
  const { link } = await stage.serve();
  const page = await stage.page(link);
  await prompt(page);
  await run(page, "seq 1 200", /^200$/m);
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Clear" }).click();
  await page.waitForFunction(() => window.ptyd.wholeText().join("\n").trim().split("\n").length === 1);
  await prompt(page);
  await page.reload();
  await prompt(page);
  expect(await screen(page)).not.toContain("200");
});

scenario("without WebGL, or when it is lost, elements draw the same", async (stage) => {
  const { link } = await stage.serve();
  const page = await stage.page(link);
  await prompt(page);
  await run(page, "printf '\\033[38;2;255;120;20mora''nge\\033[m\\n'", /^orange$/m);
  await expect.poll(() => page.locator(".xterm-screen canvas").count()).toBeGreaterThan(0);
  await page.locator(".xterm-screen canvas").evaluateAll((all) => {
    for (const canvas of all as HTMLCanvasElement[])
      canvas.getContext("webgl2")?.getExtension("WEBGL_lose_context")?.loseContext();
  });
  const colour = page.locator(".xterm-rows span", { hasText: /^orange$/ }).last();
  await colour.waitFor();
  await expect.poll(() => colour.evaluate((span) => getComputedStyle(span).color)).toBe("rgb(255, 120, 20)");
}, kWithWebgl);

scenario("security 31: a link shows where it leads, and only harmless ones lead anywhere", async (stage) => {
  const { link } = await stage.serve();
  const page = await stage.page(link);
  await prompt(page);
  const link8 = (target: string, text: string) => `printf '\\033]8;;${target}\\033\\\\${text}\\033]8;;\\033\\\\\\n'`;
  await run(page, `clear; ${link8("https://example.org/there", "inno''cent")}`, /^innocent$/m);
  await run(page, link8("javascript:alert(1)", "wick''ed"), /^wicked$/m);
  const click = async (text: string) => {
    const lines = (await screen(page)).split("\n");
    const box = await page.locator(".xterm-screen").boundingBox();
    const { rows, cols } = await size(page);
    const row = lines.lastIndexOf(text);
    if (!box || row < 0) throw new Error(`no line ${text}`);
    const position = { x: (2.5 * box.width) / cols, y: ((row + 0.5) * box.height) / rows };
    await page.mouse.move(box.x + position.x, box.y + position.y, { steps: 4 });
    await page.locator(".xterm-screen").click({ position, modifiers: ["Control"] });
  };
  await click("innocent");
  const dialog = page.getByRole("dialog", { name: "Open this link?" });
  expect(await dialog.innerText()).toContain("https://example.org/there");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await click("wicked");
  await run(page, "echo still he''re", /^still here$/m);
  expect(await page.getByRole("dialog").count()).toBe(0);
  expect(page.context().pages()).toHaveLength(1);
});

scenario("who has only the token for looking on sees all and changes nothing", async (stage) => {
  const folder = mkdtempSync(join(tmpdir(), "ptyd-view-"));
  writeFileSync(join(folder, "token"), "a-token-for-those-who-only-look-on-0123456789\n", { mode: 0o600 });
  const { link, url } = await stage.serve({ args: ["--view-token-file", join(folder, "token")] });
  const owner = await stage.page(link);
  await prompt(owner);
  await run(owner, "echo sho''wn", /^shown$/m);
  const guest = await stage.page(`${url}#token=a-token-for-those-who-only-look-on-0123456789`, {
    viewport: { width: 600, height: 400 },
  });
  await seen(guest, /^shown$/m);
  await guest.getByText("View only").waitFor();
  await guest.keyboard.type("echo intruder\n");
  await guest.getByText("This token is for viewing: your input is not sent.").waitFor();
  await agreedSize(owner);
  expect(await screen(owner)).not.toContain("intruder");
  await guest.getByRole("button", { name: "More" }).click();
  await guest.getByRole("menuitem", { name: "Close tab" }).waitFor();
  for (const name of ["Clear", "Restart", "End terminal", "Stop program"])
    expect(await guest.getByRole("menuitem", { name, exact: true }).count()).toBe(0);
  await guest.keyboard.press("Escape");

  const loaded = guest.waitForEvent("load");
  await guest.goto(link); // with the other token, in the same tab
  await loaded;
  await prompt(guest);
  await run(guest, "echo wel''come", /^welcome$/m);
  rmSync(folder, { recursive: true });
});

scenario("nothing on the page needs an inline style or script", async (stage) => {
  const { server, link } = await stage.serve();
  const policy = (await server.fetch("/")).headers.get("content-security-policy") ?? "";
  expect(policy).toMatch(/script-src 'self';.*style-src 'self';/);
  expect(policy).not.toContain("unsafe");
  const page = await stage.page(link);
  await prompt(page);
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Draw without WebGL" }).click();
  await run(page, "printf '\\033[38;2;1;2;3;48;2;250;240;230mi''nk\\033[m\\n'", /^ink$/m);
  const ink = page.locator(".xterm-rows span", { hasText: /^ink$/ }).last();
  await ink.waitFor();
  const background = (of: Locator) => of.evaluate((element) => getComputedStyle(element).backgroundColor);
  await expect.poll(() => background(ink)).toBe("rgb(250, 240, 230)");
  const slider = page.locator(".xterm-scrollable-element .slider").first();
  await expect.poll(() => background(slider)).not.toBe("rgba(0, 0, 0, 0)");
}, kWithWebgl);
