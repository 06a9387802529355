import "@xterm/xterm/css/xterm.css";
import { connect, type PtydClient } from "../../client/src/index.ts";
import { checkAccess, logIn, openSocket, takeToken } from "./access.ts";
import { App } from "./app.ts";
import { offerToConsole } from "./console.ts";
import { followVisualViewport } from "./phone.ts";
import { installStrictStyles } from "./strict_styles.ts";
import { SignIn } from "./views/sign_in.ts";

async function start(): Promise<void> {
  installStrictStyles();
  followVisualViewport();
  const token = takeToken();
  const refused = token !== undefined && (await logIn(token)) === "denied";

  const client = connect(document.baseURI, { checkAccess: mayConnect, webSocket: openSocket });
  const app = new App(client);
  document.body.append(app.element);
  offerToConsole(app);
  const signIn = new SignIn(async (token) => {
    const access = await logIn(token);
    if (access === "full" || access === "view") useLogin(client);
    return access;
  });
  document.body.append(signIn.element);
  client.onState.on((state) => {
    if (state.name === "unauthorised") signIn.show(refused ? "The token in this address is not accepted." : undefined);
    if (state.name === "open") signIn.hide();
    app.element.inert = !signIn.element.hidden; // what lies behind is not to be reached by keys
  });
  window.addEventListener("hashchange", (event) => {
    const entered = takeToken(event.oldURL); // an address of this page does not load it anew
    if (entered !== undefined) void signIn.enter(entered);
  });
  await app.start();
}

/// A connection that is open keeps the access that it was opened with.
function useLogin(client: PtydClient): void {
  if (client.state.name === "open") location.reload();
  else client.retryNow();
}

async function mayConnect(): Promise<"granted" | "denied" | "unknown"> {
  const access = await checkAccess();
  return access === "full" || access === "view" ? "granted" : access;
}

void start();
