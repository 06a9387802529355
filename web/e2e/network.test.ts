import { existsSync } from "node:fs";
import { expect } from "vitest";
import { output, agreedSize, prompt, run, screen, seen, wholeText } from "./reading.ts";
import { scenario } from "./stage.ts";

const broken = [/WebSocket connection/, /ERR_/];

/// For so long the page is put forward where its own patience (seconds) has to come to an end.
const kLonger = 15_000;

// Output that was printed while the page was away is sent to its end, however slow page and machine are; what is printed while it
// is connected may be skipped on a slow line. So the rest is printed while it is away.
scenario("a connection that is cut again and again loses no line and doubles none", async (stage) => {
  stage.expected.push(...broken);
  const { server, proxy, link } = await stage.serve();
  const printed = `${server.folder}/printed`;
  const page = await stage.page(link);
  await prompt(page);
  await page.keyboard.type(
    `clear; for i in $(seq 1 3000); do echo line $i of many that are cut somewhere; done; echo do''ne; : >${printed}`,
  );
  proxy.cutAfterBytes(2000); // each cut is armed before what it cuts can come
  const start = page.keyboard.press("Enter");
  await expect.poll(() => existsSync(printed)).toBe(true);
  await expect.poll(() => proxy.delivered).toBeGreaterThanOrEqual(proxy.cutAfter);
  for (const bytes of [9000, 1, 15_000, 7777]) {
    proxy.cutAfterBytes(bytes);
    // Maybe it comes back by itself; then there is no such button.
    await page.evaluate(() => document.querySelector<HTMLElement>(".connection .button:not([hidden])")?.click());
    await expect.poll(() => proxy.delivered).toBeGreaterThanOrEqual(proxy.cutAfter);
    proxy.heal();
  }
  await start;
  await seen(page, /^done$/m);
  const lines = (await wholeText(page)).filter((line) => line.startsWith("line "));
  expect(lines).toEqual(Array.from({ length: 3000 }, (_, index) => `line ${index + 1} of many that are cut somewhere`));
});

scenario("what is typed while the line is cut arrives once it is back", async (stage) => {
  stage.expected.push(...broken);
  const { proxy, link } = await stage.serve();
  const page = await stage.page(link);
  await prompt(page);
  proxy.refuse = true;
  proxy.cut();
  await page.locator('.connection[data-state="reconnecting"]').waitFor();
  await page.keyboard.type("echo la''te\n");
  await page.locator(".connection", { hasText: "Reconnecting" }).waitFor();
  proxy.heal();
  await seen(page, /^late$/m);
});

scenario("what is typed for a shell that is restarted while the line is cut arrives in the new one", async (stage) => {
  stage.expected.push(...broken);
  const { proxy, link } = await stage.serve();
  const page = await stage.page(link);
  await prompt(page);
  await run(page, "old=y''es; echo se''t", /^set$/m);
  proxy.refuse = true;
  proxy.cut();
  await page.locator('.connection[data-state="reconnecting"]').waitFor();
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Restart" }).click();
  await page.keyboard.type("echo ol''d=$old.\n");
  proxy.heal();
  await seen(page, /^old=\.$/m);
});

scenario("a line that went silent is noticed when the page has reason to look", async (stage) => {
  stage.expected.push(...broken);
  const { proxy, link } = await stage.serve();
  const page = await stage.pageWithClock(link);
  await prompt(page);
  proxy.fallSilent();
  await page.evaluate(() => window.dispatchEvent(new Event("online")));
  await page.clock.fastForward(kLonger);
  await page.locator('.connection:not([data-state="open"])').waitFor();
  proxy.heal();
  await page.clock.fastForward(kLonger);
  await page.locator('.connection[data-state="open"]').waitFor();
  await run(page, "echo he''ard", /^heard$/m);
});

scenario("a server that goes and comes back is told from one that is lost", async (stage) => {
  stage.expected.push(...broken, /50[023]/);
  const { server, url, link } = await stage.serve();
  const page = await stage.page(link);
  await prompt(page);
  await run(page, "echo be''fore", /^before$/m);
  await server.stop();
  await page.locator('.connection[data-state="reconnecting"]').waitFor();
  await stage.start({ folder: server.folder, listen: `127.0.0.1:${server.port}`, args: ["--public-url", url] });
  await page.locator('.connection[data-state="open"]').waitFor();
  await seen(page, /^before$/m);
  await page.locator(".notice .button").first().waitFor();
});

scenario("two tabs on one terminal see the same, and its size belongs to who is looked at", async (stage) => {
  const { link, url } = await stage.serve();
  const first = await stage.page(link);
  await prompt(first);
  const second = await stage.tabBeside(first, `${url}#/main/default`);
  await prompt(second);
  await run(second, "echo sha''red", /^shared$/m);
  await seen(first, /^shared$/m);

  await second.setViewportSize({ width: 640, height: 420 });
  await first.getByText(/^Sized \d+ × \d+ by another window\.$/).waitFor();
  const small = await agreedSize(second);
  await first.waitForFunction((cols) => window.ptyd.screenSize().cols === cols, small.cols);
  await first.getByRole("button", { name: "Fit to this window" }).click();
  await second.getByText(/^Sized \d+ × \d+ by another window\.$/).waitFor();
  const large = await agreedSize(first);
  expect(large.cols).toBeGreaterThan(small.cols);
});

/// Every question that a terminal could answer.
const kQuestions = ["[c", "[>c", "[=c", "[5n", "[6n", "[?6n", "[>q", "[?2026$p", "[?u", "[18t", "[14t", "[16t", "[21t", "[x"]
  .map((tail) => `\\033${tail}`)
  .concat(["10;?", "11;?", "12;?", "4;1;?", "52;c;?"].map((body) => `\\033]${body}\\007`))
  .concat(["$qm", "$qr", "+q544e"].map((body) => `\\033P${body}\\033\\\\`), "\\005")
  .join("");

scenario("security 30: ten pages look on while a program asks everything, and it hears what it hears without them", async (stage) => {
  const { link, url } = await stage.serve();
  const page = await stage.page(link);
  await prompt(page);
  // Answers, up to that to the last question, which is a report of no errors.
  const asks = `stty raw -echo; printf '${kQuestions}\\033[5n' >/dev/tty; heard=; while IFS= read -r -t 20 -n 1 x; do heard=$heard$x; ` +
    `case $heard in *'[0n'*'[0n') break;; esac; done; read -r -t 1 -n 1 x && heard="$heard more"; stty sane; printf %s "$heard" | md5sum | cut -c1-32`;
  const alone = await output(page, asks);
  expect(alone).toMatch(/^[0-9a-f]{32}$/);
  for (let n = 1; n < 10; n++) await prompt(await stage.tabBeside(page, `${url}#/main/default`));
  await page.bringToFront();
  expect(await output(page, asks)).toBe(alone);
});

scenario("a terminal that another tab ends is said to be gone, and a new one in its place is live", async (stage) => {
  const { link, url } = await stage.serve();
  const first = await stage.pageWithClock(link);
  await prompt(first);
  await run(first, "echo o''ld", /^old$/m);
  const second = await stage.tabBeside(first, `${url}#/main/default`);
  await prompt(second);
  await second.getByRole("button", { name: "More" }).click();
  await second.getByRole("menuitem", { name: "End terminal" }).click();
  await second.getByText("No terminals yet.").waitFor();
  await first.clock.fastForward(kLonger); // to its next look at the list
  await first.getByText("This terminal no longer exists on the server.").waitFor();
  await first.locator(".tab").click();
  expect(await screen(first)).toMatch(/^old$/m);
  await second.getByRole("button", { name: "New terminal", exact: true }).click();
  await prompt(second);
  await first.locator(".sidebar .item").click();
  await first.waitForFunction(() => !window.ptyd.screenText().includes("old"));
  await prompt(first);
  await run(first, "echo ne''w", /^new$/m);
  await seen(second, /^new$/m);
  await first.locator(".notice").waitFor({ state: "hidden" });
});

scenario("below a base path behind a proxy all of it works", async (stage) => {
  const { server, link, url } = await stage.serve({ basePath: "/tools/term/" });
  const page = await stage.page(link);
  await prompt(page);
  await run(page, "echo be''low", /^below$/m);
  await page.reload();
  await seen(page, /^below$/m);
  expect(page.url()).toBe(`${url}#/main/default`);
  const cookies = await page.context().cookies();
  expect(cookies.map((cookie) => cookie.path)).toEqual(["/tools/term/"]);
  expect(server.alive).toBe(true);
});

scenario("a flood does not keep Ctrl-C waiting", async (stage) => {
  const { link } = await stage.serve();
  const page = await stage.page(link);
  await prompt(page);
  await page.keyboard.type("yes a flood of lines that never ends\n");
  await seen(page, /(a flood of lines that never ends\n){20}/);
  await page.keyboard.press("Control+c");
  await prompt(page);
  await run(page, "echo ca''lm", /^calm$/m);
});
