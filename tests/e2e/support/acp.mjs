// Coding agents as their authors write them: the official SDK, in the releases that are in use, over a WebSocket.
import { within } from './deadline.mjs';

/** One JSON-RPC message per text frame; nothing that came before the stream was made is lost. */
function streamOver(socket, onSent) {
  const readable = new ReadableStream({
    start(controller) {
      for (const frame of socket.frames.all) controller.enqueue(frame);
      socket.onFrame = (frame) => controller.enqueue(frame);
      socket.closed.then(() => controller.close());
    },
  });
  const writable = new WritableStream({
    write(message) {
      socket.send(message);
      onSent(message);
    },
  });
  return { readable, writable };
}

/** Facts that the server tells beside the protocol. */
const NOTIFICATIONS = ['_ptyd/terminal/output', '_ptyd/terminal/update'];
const introduction = (loadSession) => ({ protocolVersion: 1, agentCapabilities: loadSession ? { loadSession } : {} });

/** Up to 1.9 an agent is a class of handlers; 0.12 asks by its own methods only, and cannot cancel what it has asked. */
function connectByClass(lib, stream, handle) {
  const agent = {
    initialize: (params) => handle('initialize', params),
    newSession: (params) => handle('session/new', params),
    loadSession: (params) => handle('session/load', params),
    authenticate: async () => ({}),
    prompt: async () => ({ stopReason: 'end_turn' }),
    cancel: async () => {},
    extNotification: async (method, params) => handle(method.replace(/^_?/, '_'), params),
  };
  const connection = new lib.AgentSideConnection(() => agent, stream);
  return {
    createTerminal: (params) => connection.createTerminal(params),
    request: (method, params, options) => connection.request(method, params, options),
    // Up to 0.12 the underscore is the SDK's to add.
    ours: (method, params) => connection.extMethod(connection.request ? method : method.slice(1), params),
    update: (params) => connection.sessionUpdate(params),
  };
}

/** From 2.0 on it is an app with handlers by name. */
function connectAsApp(lib, stream, handle) {
  const app = lib.agent({ name: 'test' });
  for (const method of ['initialize', 'session/new', 'session/load']) app.onRequest(method, ({ params }) => handle(method, params));
  for (const method of NOTIFICATIONS) app.onNotification(method, (params) => params, ({ params }) => handle(method, params));
  const { client } = app.connect(stream);
  return {
    createTerminal: (params) => client.createTerminal(params),
    request: (method, params, options) => client.request(method, params, options),
    ours: (method, params) => client.request(method, params),
    update: (params) => client.notify('session/update', params),
  };
}

/** Releases by the names they have in package.json. */
export const RELEASES = [
  { name: 'acp-sdk-2', connect: connectAsApp, cancels: true },
  { name: 'acp-sdk-1', connect: connectByClass, cancels: true },
  { name: 'acp-sdk-0', connect: connectByClass, cancels: false },
];

/**
 * An agent that has dialled in through `socket` and has a session of this name. `asked` is what the server asked it, by
 * method. `create` makes a terminal; `request` asks anything (not in 0.12); `ours` asks a method of ours by the rest of its
 * name; `update` tells of a tool call. `told` is what the server told of terminals: chunks of bytes and an exit status each.
 * One that `knows` sessions can load these; its session is then the one that it was offered and knows, if there is any.
 * While it loads it tells the updates that it `replays`.
 */
export async function dial(release, socket, sessionId, { knows, replays = [] } = {}) {
  const lib = await import(release.name);
  const asked = {};
  const told = [];
  let greeted;
  const hasSession = new Promise((resolve) => (greeted = resolve));
  let loaded = null;
  const offered = [];
  const stream = streamOver(socket, ({ result }) => result && (loaded || result.sessionId === sessionId) && greeted());
  const load = async ({ sessionId: wanted }) => {
    offered.push(wanted);
    if (!knows.includes(wanted)) throw new Error('there is no such session');
    for (const update of replays) await agent.update({ sessionId: wanted, update });
    loaded = wanted;
    return {};
  };
  const handle = async (method, params) => {
    if (NOTIFICATIONS.includes(method)) return void told.push(params);
    asked[method] = params;
    if (method === 'session/load') return load(params);
    return method === 'initialize' ? introduction(Boolean(knows)) : { sessionId };
  };
  const agent = release.connect(lib, stream, handle);
  await within(hasSession, 'the server to ask for a session');
  const named = (params) => ({ sessionId: loaded ?? sessionId, ...params });
  return {
    asked,
    told,
    offered,
    sessionId: loaded ?? sessionId,
    create: (params) => agent.createTerminal(named(params)),
    request: (method, params, options) => agent.request(method, named(params), options),
    ours: (method, params) => agent.ours(`_ptyd/terminal/${method}`, named(params)),
    update: (update) => agent.update(named({ update })),
  };
}
