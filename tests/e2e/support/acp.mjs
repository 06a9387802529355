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

const INTRODUCTION = { protocolVersion: 1, agentCapabilities: {} };

/** Up to 1.9 an agent is a class of handlers; 0.12 asks by its own methods only, and cannot cancel what it has asked. */
function connectByClass(lib, stream, handle) {
  const agent = {
    initialize: (params) => handle('initialize', params),
    newSession: (params) => handle('session/new', params),
    authenticate: async () => ({}),
    prompt: async () => ({ stopReason: 'end_turn' }),
    cancel: async () => {},
  };
  const connection = new lib.AgentSideConnection(() => agent, stream);
  return {
    createTerminal: (params) => connection.createTerminal(params),
    request: (method, params, options) => connection.request(method, params, options),
    update: (params) => connection.sessionUpdate(params),
  };
}

/** From 2.0 on it is an app with handlers by name. */
function connectAsApp(lib, stream, handle) {
  const app = lib.agent({ name: 'test' });
  for (const method of ['initialize', 'session/new']) app.onRequest(method, ({ params }) => handle(method, params));
  const { client } = app.connect(stream);
  return {
    createTerminal: (params) => client.createTerminal(params),
    request: (method, params, options) => client.request(method, params, options),
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
 * method. `create` makes a terminal; `request` asks anything (not in 0.12); `update` tells of a tool call.
 */
export async function dial(release, socket, sessionId) {
  const lib = await import(release.name);
  const asked = {};
  let greeted;
  const hasSession = new Promise((resolve) => (greeted = resolve));
  const stream = streamOver(socket, (message) => message.result?.sessionId === sessionId && greeted());
  const handle = async (method, params) => {
    asked[method] = params;
    return method === 'initialize' ? INTRODUCTION : { sessionId };
  };
  const agent = release.connect(lib, stream, handle);
  await within(hasSession, 'the server to ask for a session');
  const named = (params) => ({ sessionId, ...params });
  return {
    asked,
    sessionId,
    create: (params) => agent.createTerminal(named(params)),
    request: (method, params, options) => agent.request(method, named(params), options),
    update: (update) => agent.update(named({ update })),
  };
}
