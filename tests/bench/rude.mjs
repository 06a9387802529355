// Eight rude clients with a view token and eight without any, in a process of their own: what they cost the owner of a
// terminal, the server's memory and descriptors, and a newcomer.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { once } from 'node:events';
import net from 'node:net';
import { frame, RawConnection, UPGRADE } from '../e2e/support/http.mjs';
import { descriptors, memory } from '../e2e/support/process.mjs';
import { pause, quantile, round, timed } from './round.mjs';

const EIGHT = 8;
const SECONDS = Number(process.env.PTYD_RUDE_SECONDS ?? 20);
const FLOOD_MS = 5000;
/** So long a rude client keeps at it, before it begins anew. */
const RUDE_MS = 5000;
const MIB = 1 << 20;
const [TEXT, PONG] = [1, 10];
const many = (count, make) => Buffer.concat(Array.from({ length: count }, make));
const arrayOf = (element) => frame(TEXT, `[{"_tag":"Ping"}${`,${element}`.repeat(60_000 / (element.length + 1))}]`);

/** Things to say with a view token, again and again; some are read no answer to. */
const FLOODS = [
  many(500, () => frame(TEXT, '{}')),
  many(500, () => frame(TEXT, '{"id":"1","body":{"_tag":"terminal.snapshot","threadId":"owned","format":"cells","scrollback":5000}}')),
  many(500, () => frame(TEXT, '{"id":"1","body":{"_tag":"terminal.open","threadId":"owned","cwd":"/","attach":true}}')),
  arrayOf('0'), arrayOf('{}'), arrayOf('{"_tag":"Ping"}'),
  frame(TEXT, '['.padEnd(65_000), { fin: false }),
  many(500, () => frame(PONG, 'alive')),
];

async function enter(server) {
  const raw = await RawConnection.open(server);
  const headers = { Host: `127.0.0.1:${server.port}`, ...UPGRADE, ...server.viewerBearer };
  raw.write(`GET /ws HTTP/1.1\r\n${Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`);
  return raw;
}

async function flood(server, bytes, reads) {
  const end = performance.now() + RUDE_MS;
  const raw = await enter(server);
  if (!reads) raw.socket.pause();
  raw.onData = () => (raw.received = Buffer.alloc(0));
  while (!raw.socket.destroyed && performance.now() < end) {
    raw.write(bytes);
    await Promise.race([new Promise((resolve) => raw.socket.write('', resolve)), raw.ended, pause(1000)]);
  }
  raw.socket.destroy();
}

/** Connections that say nothing. */
async function beSilent(server) {
  const sockets = Array.from({ length: 300 }, () => net.connect(server.port, '127.0.0.1').on('error', () => {}));
  await Promise.race([Promise.all(sockets.map((socket) => once(socket, 'close'))), pause(RUDE_MS)]);
  for (const socket of sockets) socket.destroy();
}

/** Things to do without a token. */
const STRANGERS = [
  beSilent,
  (server) => fetch(`http://127.0.0.1:${server.port}/metrics`, { headers: { Authorization: 'Bearer wrong-wrong-wrong-wrong' } }).then((answer) => answer.text()),
];

async function beRude(server) {
  const again = async (work) => {
    for (;;) await work().catch(() => pause(RUDE_MS / 100));
  };
  for (let n = 0; n < EIGHT; n += 1) {
    void again(() => flood(server, FLOODS[n % FLOODS.length], n % 2 === 0));
    void again(() => STRANGERS[n % STRANGERS.length](server));
  }
}

/** Bytes a second that the owner hears of a flood, which is ended again. */
async function floodRate(owner) {
  await owner.run('flood', 'yes "a line as programs print them, again and again"\r', 'again\r\n');
  const heard = owner.heard({ threadId: 'flood' });
  const [bytes, begin] = [heard.bytes, performance.now()];
  await pause(FLOOD_MS);
  const rate = ((heard.bytes - bytes) / (performance.now() - begin)) * 1000;
  await owner.run('flood', "\x03PS1='<%>'\r", '<%>');
  return rate;
}

/** How many descriptors a process may have. */
const fileLimit = (pid) => Number(fs.readFileSync(`/proc/${pid}/limits`, 'utf8').match(/^Max open files +(\d+)/m)[1]);

/** Has a process of its own be rude to `server`; ends with what is returned. */
function rudeTo(made, { port, viewerBearer }) {
  const self = import.meta.filename ?? process.argv[1];
  const rude = spawn(process.execPath, [self, JSON.stringify({ port, viewerBearer })], { stdio: 'inherit' });
  made.atEnd(() => rude.kill());
  return rude;
}

/** The same beside rude clients of another server, which take as much of this machine: what is left without them here. */
async function floodRateOnBusyMachine(made, owner) {
  const other = await made.server({ looksOn: true });
  await (await made.client(other)).open('owned');
  const rude = rudeTo(made, other);
  await pause(RUDE_MS);
  const rate = await floodRate(owner);
  rude.kill();
  return rate;
}

async function measure(made) {
  const server = await made.server({ looksOn: true });
  const owner = await made.client(server);
  await owner.open('owned');
  await owner.open('flood');
  const echo = () => timed(() => owner.run('owned', 'echo a\'\'b\r', 'ab\r\n'));
  for (let n = 0; n < 50; n += 1) await echo();
  const alone = await floodRate(owner);
  const busy = await floodRateOnBusyMachine(made, owner);
  const before = memory(server.pid).resident;
  const rude = rudeTo(made, server);
  const [echoes, logins] = [[], []];
  let [most, files] = [0, 0];
  for (const end = performance.now() + SECONDS * 1000; performance.now() < end; ) {
    echoes.push(await echo());
    logins.push(await timed(async () => (await made.client(server)).close()));
    most = Math.max(most, memory(server.pid).resident);
    files = Math.max(files, descriptors(server.pid).length);
    await pause(20);
  }
  const beside = await floodRate(owner);
  rude.kill();
  await pause(15_000);
  return {
    echo_p99_ms: quantile(echoes, 0.99), login_p99_ms: quantile(logins, 0.99), flood_keeps: beside / busy, flood_keeps_of_alone: beside / alone, flood_mb_s: beside / 1e6,
    descriptors: files, descriptors_of_limit: files / fileLimit(server.pid),
    grew_mb: (most - before) / MIB, kept_mb: (memory(server.pid).resident - before) / MIB,
  };
}

if (process.argv[2]) await beRude(JSON.parse(process.argv[2]));
else await round(measure);
