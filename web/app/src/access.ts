/// The credential: the server prints an address with a token in its fragment, which is swapped for a cookie that
/// scripts cannot read. The token is in no request line, no referrer and, after this, in no address bar.

/// What the server lets this browser do; `unknown` when it could not be asked.
export type Access = "full" | "view" | "denied" | "unknown";

/// The token of `#token=...`, if the address has one. It is taken out of the address at once.
export function takeToken(): string | undefined {
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (token === null || !location.hash.startsWith("#token=")) return undefined;
  history.replaceState(null, "", location.pathname + location.search);
  return token;
}

export async function logIn(token: string): Promise<Access> {
  return ask("api/login", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ token }),
  });
}

/// What this browser's cookie is good for.
export function checkAccess(): Promise<Access> {
  return ask("api/session", { method: "GET" });
}

async function ask(path: string, request: RequestInit): Promise<Access> {
  try {
    const answer = await fetch(new URL(path, document.baseURI), {
      ...request,
      credentials: "same-origin",
      cache: "no-store",
    });
    if (answer.ok) return ((await answer.json()) as { access?: unknown }).access === "view" ? "view" : "full";
    return answer.status === 401 || answer.status === 403 ? "denied" : "unknown";
  } catch {
    return "unknown";
  }
}
