import { afterEach, beforeEach, expect, test, vi } from "vitest";

/// The requests and sockets of a page at /tools/, whose server answers as `answer` says.
const requests: { path: string; key: string | undefined }[] = [];
let answer: object = {};
let stored: Map<string, string> | undefined;

const storage = {
  getItem: (name: string) => {
    if (!stored) throw new Error("this browser stores nothing");
    return stored.get(name) ?? null;
  },
  setItem: (name: string, value: string) => {
    if (!stored) throw new Error("this browser stores nothing");
    stored.set(name, value);
  },
};

/// As after a reload.
async function page(): Promise<typeof import("../src/access.ts")> {
  vi.resetModules();
  return import("../src/access.ts");
}

beforeEach(() => {
  requests.length = 0;
  stored = new Map();
  vi.stubGlobal("document", { baseURI: "http://127.0.0.1:7681/tools/index.html" });
  vi.stubGlobal("localStorage", storage);
  vi.stubGlobal("fetch", (url: URL, request: { headers: Record<string, string> }) => {
    requests.push({ path: url.pathname, key: request.headers["Ptyd-Page-Key"] });
    return Promise.resolve({ ok: true, status: 200, json: () => Promise.resolve(answer) });
  });
  vi.stubGlobal("WebSocket", function socket(this: object, url: string, protocols?: string[]) {
    Object.assign(this, { url, protocols });
  });
});
afterEach(() => vi.unstubAllGlobals());

test("the key of a login goes with each request and socket from then on, also after a reload", async () => {
  answer = { access: "view", pageKey: "secret" };
  const before = await page();
  expect(before.openSocket("ws://x/")).toMatchObject({ protocols: undefined });
  expect(await before.logIn("token")).toBe("view");
  answer = { access: "view" };
  for (const now of [before, await page()]) {
    await now.checkAccess();
    expect(requests.at(-1)).toEqual({ path: "/tools/api/session", key: "secret" });
    expect(now.openSocket("ws://x/")).toMatchObject({ url: "ws://x/", protocols: ["ptyd", "ptyd.key.secret"] });
  }
  expect(requests[0]?.key).toBe(undefined);
});

test("servers below other paths of an origin have keys of their own", async () => {
  answer = { access: "full", pageKey: "of tools" };
  await (await page()).logIn("token");
  vi.stubGlobal("document", { baseURI: "http://127.0.0.1:7681/" });
  expect((await page()).openSocket("ws://x/")).toMatchObject({ protocols: undefined });
});

test("where a browser stores nothing a login lasts as long as its page", async () => {
  stored = undefined;
  answer = { access: "full", pageKey: "secret" };
  const now = await page();
  expect(await now.logIn("token")).toBe("full");
  expect(now.openSocket("ws://x/")).toMatchObject({ protocols: ["ptyd", "ptyd.key.secret"] });
});

const kToken = "a+b/c=-._~";
const kPrinted = "http://127.0.0.1:7681/tools/#token=a%2Bb%2Fc%3D-._~";

test.each([
  ["the address that the server prints", `${kPrinted}\n`],
  ["the token", ` ${kToken} `],
  ["the token as the address has it", "a%2Bb%2Fc%3D-._~"],
  ["an address that somebody wrote", `http://127.0.0.1:7681/#token=${kToken}&x=y`],
])("the token is found in %s", async (_what, text) => {
  expect((await page()).tokenIn(text)).toBe(kToken);
});

test("what cannot be decoded is taken as it is", async () => {
  expect((await page()).tokenIn("http://127.0.0.1:7681/#token=100%-sure")).toBe("100%-sure");
});

/// The address bar, with `hash` at its end.
function addressBar(hash: string): { shown: string } {
  const bar = { shown: `/tools/${hash}` };
  vi.stubGlobal("location", { pathname: "/tools/", search: "", hash });
  vi.stubGlobal("history", { replaceState: (_state: null, _title: string, url: string) => void (bar.shown = url) });
  return bar;
}

test("the token is taken out of the address, which is then what it was before, if anything", async () => {
  const { takeToken } = await page();
  const bar = addressBar(new URL(kPrinted).hash);
  expect(takeToken()).toBe(kToken);
  expect(bar.shown).toBe("/tools/");
  expect(takeToken("http://127.0.0.1:7681/tools/#/main/default")).toBe(kToken);
  expect(bar.shown).toBe("http://127.0.0.1:7681/tools/#/main/default");
});

test("an address without a token stays", async () => {
  const bar = addressBar("#/main/default");
  expect((await page()).takeToken("/")).toBeUndefined();
  expect(bar.shown).toBe("/tools/#/main/default");
});
