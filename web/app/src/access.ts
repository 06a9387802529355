/// The credential: the server prints an address with a token in its fragment, which is swapped for a cookie that
/// scripts cannot read, and a key. The browser sends the cookie to every port of this host, and the key stays in the
/// storage of this origin; either alone opens nothing. The token is in no request line, no referrer and, after this, in
/// no address bar.
import type { WebSocketLike } from "../../client/src/index.ts";

/// Several servers may share an origin, each below a path of its own.
const kKeyPlace = `ptyd page key ${new URL(".", document.baseURI).pathname}`;

/// For a browser that stores nothing.
let keptHere: string | null = null;

function pageKey(): string | null {
  try {
    return localStorage.getItem(kKeyPlace) ?? keptHere;
  } catch {
    return keptHere;
  }
}

function keep(key: string): void {
  keptHere = key;
  try {
    localStorage.setItem(kKeyPlace, key);
  } catch {
    // The login lasts as long as this page.
  }
}

/// A socket that shows the key.
export function openSocket(url: string): WebSocketLike {
  const key = pageKey();
  return key === null ? new WebSocket(url) : new WebSocket(url, ["ptyd", `ptyd.key.${key}`]);
}

/// Access that the server gives this browser; `unknown` when it could not be asked.
export type Access = "full" | "view" | "denied" | "unknown";

/// The token in `text`: in the address that the server prints, which has it percent-encoded, or the token alone.
export function tokenIn(text: string): string {
  const token = /#token=([^&]*)/.exec(text)?.[1] ?? text;
  try {
    return decodeURIComponent(token.trim());
  } catch {
    return token.trim();
  }
}

/// The token of `#token=...`, if the address has one. It is taken out of the address at once: `before`, of the same page,
/// takes its place.
export function takeToken(before = location.pathname + location.search): string | undefined {
  if (!location.hash.startsWith("#token=")) return undefined;
  const token = tokenIn(location.hash);
  history.replaceState(null, "", before);
  return token;
}

export async function logIn(token: string): Promise<Access> {
  return ask("api/login", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ token }),
  });
}

/// Ends this browser's login, on all its pages, and shows the sign-in page.
export async function logOut(): Promise<void> {
  await ask("api/logout", { method: "POST" });
  location.reload();
}

/// Access by this browser's cookie.
export function checkAccess(): Promise<Access> {
  return ask("api/session", { method: "GET" });
}

async function ask(path: string, request: RequestInit & { headers?: Record<string, string> }): Promise<Access> {
  const key = pageKey();
  try {
    const answer = await fetch(new URL(path, document.baseURI), {
      ...request,
      headers: { ...request.headers, ...(key === null ? {} : { "Ptyd-Page-Key": key }) },
      credentials: "same-origin",
      cache: "no-store",
    });
    if (answer.ok) {
      const told = (await answer.json()) as { access?: unknown; pageKey?: unknown };
      if (typeof told.pageKey === "string") keep(told.pageKey);
      return told.access === "view" ? "view" : "full";
    }
    return answer.status === 401 || answer.status === 403 ? "denied" : "unknown";
  } catch {
    return "unknown";
  }
}
