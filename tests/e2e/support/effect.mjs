// The Effect RPC client as a dpcode client uses it: the same library, over a WebSocket, with the contract's schemas.
import { WebSocket } from 'ws';
import { SCENARIO_MS } from './deadline.mjs';

/** `effect` is the release dpcode pins, `effect-current` the newest: same frames, other code, other places of its parts. */
async function library(name) {
  const from = name === 'effect' ? `${name}/unstable` : name;
  const [core, rpc, socket] = await Promise.all([import(name), import(`${from}/rpc`), import(`${from}/socket`)]);
  return { ...core, ...rpc, Socket: socket.Socket };
}

/** The reference's contract: field by field what its own decoder insists on. */
function contract({ Schema, Rpc, RpcGroup }) {
  const nullable = (schema) => Schema.NullOr(schema);
  const snapshot = Schema.Struct({
    threadId: Schema.NonEmptyString,
    terminalId: Schema.NonEmptyString,
    cwd: Schema.NonEmptyString,
    status: Schema.Literals(['starting', 'running', 'exited', 'error']),
    pid: nullable(Schema.Int),
    history: Schema.String,
    replayPreamble: Schema.optional(Schema.String),
    exitCode: nullable(Schema.Int),
    exitSignal: nullable(Schema.Int),
    updatedAt: Schema.String,
  });
  const event = (type, fields) =>
    Schema.Struct({ type: Schema.Literal(type), threadId: Schema.NonEmptyString, terminalId: Schema.NonEmptyString, createdAt: Schema.String, ...fields });
  const events = Schema.Union([
    event('started', { snapshot }),
    event('restarted', { snapshot }),
    event('output', { data: Schema.String, byteLength: Schema.optional(Schema.Int) }),
    event('exited', { exitCode: nullable(Schema.Int), exitSignal: nullable(Schema.Int) }),
    event('error', { message: Schema.NonEmptyString }),
    event('cleared', {}),
    event('activity', {
      hasRunningSubprocess: Schema.Boolean,
      cliKind: nullable(Schema.Literals(['codex', 'claude'])),
      agentState: nullable(Schema.Literals(['running', 'attention', 'review'])),
    }),
  ]);
  const TaggedError = Schema.TaggedErrorClass ?? Schema.TaggedError;
  class WsRpcError extends TaggedError('WsRpcError')('WsRpcError', {
    message: Schema.String,
    cause: Schema.optional(Schema.Unknown),
  }) {}
  const key = { threadId: Schema.String, terminalId: Schema.optional(Schema.String) };
  const size = { cols: Schema.optional(Schema.Number), rows: Schema.optional(Schema.Number) };
  const env = Schema.optional(Schema.Record(Schema.String, Schema.String));
  const call = (name, payload, success = Schema.Void) => Rpc.make(name, { payload, success, error: WsRpcError });
  return RpcGroup.make(
    call('terminal.open', { ...key, ...size, cwd: Schema.String, env, streamOutput: Schema.optional(Schema.Boolean), policy: Schema.optional(Schema.String) }, snapshot),
    call('terminal.write', { ...key, data: Schema.String }),
    call('terminal.ackOutput', { ...key, bytes: Schema.Number }),
    call('terminal.resize', { ...key, cols: Schema.Number, rows: Schema.Number }),
    call('terminal.clear', key),
    call('terminal.restart', { ...key, cwd: Schema.String, cols: Schema.Number, rows: Schema.Number, env }, snapshot),
    call('terminal.close', { ...key, deleteHistory: Schema.optional(Schema.Boolean) }),
    Rpc.make('terminal.subscribeEvents', { payload: {}, success: events, error: WsRpcError, stream: true }),
  );
}

/**
 * Runs `body(client, lib)`, an Effect generator function, with a connected RPC client. `lib` has Effect, Stream, Fiber ...
 */
export async function withEffectClient(name, url, headers, body) {
  const lib = await library(name);
  const { Effect, Layer, RpcClient, RpcSerialization, Socket } = lib;
  const constructor = Layer.succeed(Socket.WebSocketConstructor)((address, protocols) => new WebSocket(address, protocols, { headers }));
  const protocol = RpcClient.layerProtocolSocket().pipe(
    Layer.provide(Socket.layerWebSocket(url)), Layer.provide(constructor), Layer.provide(RpcSerialization.layerJson));
  const program = Effect.gen(function* () {
    const client = yield* RpcClient.make(contract(lib));
    return yield* Effect.gen(() => body(client, lib));
  });
  return Effect.runPromise(program.pipe(Effect.scoped, Effect.provide(protocol), Effect.timeout(SCENARIO_MS / 2)));
}
