// The real Effect RPC client drives every method, in the release the reference pins and in today's.
// TSan too: every method crosses the loops.
import assert from 'node:assert/strict';
import { DEADLINE_MS } from './support/deadline.mjs';
import { withEffectClient } from './support/effect.mjs';
import { freshThread, numbersIn } from './support/envelope.mjs';
import { scenario } from './support/stage.mjs';

/** Clears a terminal of its own until `heard()`: a subscription is not answered, so this is how it shows that it is in force. */
function* provoke(client, heard, threads = new Set()) {
  const key = { threadId: freshThread(), terminalId: 'default' };
  threads.add(key.threadId);
  yield* client['terminal.open']({ ...key, cwd: '/' });
  while (!heard()) yield* client['terminal.clear'](key);
  return key;
}

/** Collects the stream of events in the background; `until` waits for one. */
function* collect(client, lib) {
  const { Effect, Stream, Deferred } = lib;
  const probes = new Set();
  const events = [];
  let heard = 0;
  let text = '';
  const waiters = new Set();
  const look = () => {
    for (const waiter of [...waiters]) if (waiter.found(events)) waiters.delete(waiter) && Effect.runSync(Deferred.succeed(waiter.deferred, events));
  };
  const take = (event) => {
    heard += 1;
    if (!probes.has(event.threadId)) events.push(event);
    if (event.type === 'output' && !probes.has(event.threadId)) text += event.data;
    look();
  };
  yield* client['terminal.subscribeEvents']({}).pipe(
    Stream.runForEach((event) => Effect.sync(() => take(event))), Effect.forkScoped);
  const { threadId } = yield* provoke(client, () => heard > 0, probes);
  yield* client['terminal.close']({ threadId });
  const until = (found, what) => Effect.gen(function* () {
    const deferred = yield* Deferred.make();
    waiters.add({ found, deferred });
    look();
    return yield* Deferred.await(deferred).pipe(Effect.timeout(DEADLINE_MS), Effect.mapError(() => new Error(`waited for ${what}; had ${JSON.stringify(events).slice(-2000)}`)));
  });
  return { events, until, text: () => text, seen: (wanted) => until(() => text.includes(wanted), wanted) };
}

function effectScenario(name, body) {
  for (const release of ['effect', 'effect-current']) {
    scenario(`${release}: ${name}`, async (stage) => {
      const server = await stage.server();
      await withEffectClient(release, stage.url(server), server.bearer, (client, lib) => body(client, lib));
    });
  }
}

effectScenario('every method, and the events it causes', function* (client, lib) {
  const heard = yield* collect(client, lib);
  const key = { threadId: freshThread(), terminalId: 'default' };
  const has = (type) => heard.until((events) => events.some((event) => event.type === type), type);
  const opened = yield* client['terminal.open']({ ...key, cwd: '/', cols: 100, rows: 30, env: { GREETING: 'good day' } });
  assert.equal(opened.status, 'running');
  yield* has('started');
  yield* client['terminal.write']({ ...key, data: 'echo "<$GREETING>"; stty size\r' });
  yield* heard.seen('<good day>\r\n30 100');
  yield* client['terminal.ackOutput']({ ...key, bytes: heard.text().length });
  yield* client['terminal.resize']({ ...key, cols: 90, rows: 25 });
  yield* client['terminal.write']({ ...key, data: 'stty size\r' });
  yield* heard.seen('25 90\r\n');
  yield* client['terminal.clear'](key);
  yield* has('cleared');
  const restarted = yield* client['terminal.restart']({ ...key, cwd: '/tmp', cols: 80, rows: 24 });
  assert.notEqual(restarted.pid, opened.pid);
  assert.equal(restarted.history, '');
  yield* has('restarted');
  yield* client['terminal.write']({ ...key, data: 'pwd; exit 5\r' });
  yield* heard.seen('/tmp\r\n');
  yield* has('exited');
  assert.equal(heard.events.find((event) => event.type === 'exited').exitCode, 5);
  yield* client['terminal.close']({ ...key, deleteHistory: true });
  yield* client['terminal.close']({ threadId: key.threadId });
});

effectScenario('a refused call is a typed error with the text of the reference', function* (client, { Effect }) {
  const unknown = yield* client['terminal.write']({ threadId: 'nobody', terminalId: 'x', data: 'y' }).pipe(Effect.flip);
  assert.equal(unknown._tag, 'WsRpcError');
  assert.match(unknown.message, /Unknown terminal thread: nobody, terminal: x/);
  const cwd = yield* client['terminal.open']({ threadId: 't', cwd: '/no/such' }).pipe(Effect.flip);
  assert.match(cwd.message, /Terminal cwd does not exist: \/no\/such/);
});

effectScenario('a payload out of bounds is a defect that names the bound', function* (client, { Effect }) {
  const exit = yield* Effect.exit(client['terminal.open']({ threadId: 't', cwd: '/', cols: 1 }));
  assert.equal(exit._tag, 'Failure');
  assert.match(JSON.stringify(exit), /cols/);
  const after = yield* client['terminal.open']({ threadId: 't2', cwd: '/' });
  assert.equal(after.status, 'running');
});

const ROUNDS = 10;
const ROUND = 8000;

effectScenario('a long output arrives complete and in order through the stream', function* (client, lib) {
  const heard = yield* collect(client, lib);
  const key = { threadId: freshThread(), terminalId: 'default' };
  // Lossless: a client that a busy machine slows down is otherwise shown the present.
  yield* client['terminal.open']({ ...key, cwd: '/', policy: 'lossless' });
  for (let n = 0; n < ROUNDS; n += 1) {
    const data = `stty -echo; seq ${n * ROUND + 1} ${(n + 1) * ROUND}; echo en''d of ${n}\r`;
    yield* client['terminal.write']({ ...key, data });
    yield* heard.seen(`end of ${n}`);
  }
  const numbers = numbersIn(heard.text());
  const wrong = numbers.findIndex((value, n) => value !== n + 1);
  assert.equal(wrong, -1, `behind ${numbers[wrong - 1]} comes ${numbers[wrong]}, of ${numbers.length} in all`);
  assert.equal(numbers.length, ROUNDS * ROUND);
});

effectScenario('interrupting the stream ends it, and another may begin', function* (client, lib) {
  const { Effect, Stream, Fiber } = lib;
  const seen = [];
  const subscribe = (pick) => client['terminal.subscribeEvents']({}).pipe(
    Stream.tap((event) => Effect.sync(() => seen.push(event))), Stream.filter(pick), Stream.take(1), Stream.runCollect, Effect.forkScoped);
  const first = yield* subscribe(() => true);
  yield* provoke(client, () => seen.length > 0);
  assert.equal([...(yield* Fiber.join(first))].length, 1);
  seen.length = 0;
  const second = yield* subscribe((event) => event.type === 'exited');
  const key = yield* provoke(client, () => seen.length > 0);
  yield* client['terminal.write']({ ...key, data: 'exit 9\r' });
  const [exited] = [...(yield* Fiber.join(second))];
  assert.equal(exited.exitCode, 9);
});
