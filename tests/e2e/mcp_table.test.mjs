// Requests to /mcp, as mcp_cases.json has them, and those that no table can hold. The cases of a section are made one after the
// other, each in a session of its own but for `bare` ones, which have none. (Messages alone: tests/transcripts/mcp.)
//
//   call         a tool and its arguments; `send`: the body, a message or text as it is; `big`: a ping of so many bytes;
//                `raw`: headers alone are sent; `endless`: pieces without an end
//   method, headers   in place of POST and the usual ones; null takes a header away. `as`: "viewer"
//   status       of the answer, 200; `answers`: patterns of its headers
//   error        the code of JSON-RPC's error; `result`: its result; `empty`: there is no body
//   gives        members that structuredContent has, in a result that is no error
//   fails        a pattern of the text of a result that is an error; `gives` is of that then
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { RawConnection } from './support/http.mjs';
import { callOf, headersOf, post, session } from './support/mcp.mjs';
import { match } from './support/pattern.mjs';
import { scenario } from './support/stage.mjs';

const sections = JSON.parse(fs.readFileSync(new URL('mcp_cases.json', import.meta.url), 'utf8'));

function bodyOf({ send, big, call, method }) {
  if (call) return callOf(...call);
  if (big === undefined) return send ?? (method ? undefined : { jsonrpc: '2.0', id: 1, method: 'ping' });
  const [head, tail] = ['{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"', '"}}'];
  return head + 'x'.repeat(big - head.length - tail.length) + tail;
}

function headText(headers) {
  return `POST /mcp HTTP/1.1\r\n${Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
}

/** By hand, since no client would: the answer to a body that is announced, or comes, without an end. */
async function beyond(server, headers, { endless }) {
  const raw = await RawConnection.open(server);
  raw.write(headText(headersOf(server, { ...headers, ...(endless ? { 'Transfer-Encoding': 'chunked' } : {}) })));
  const answered = () => raw.received.includes('\r\n\r\n');
  const piece = `10000\r\n${' '.repeat(0x10000)}\r\n`;
  while (endless && !answered() && !raw.socket.destroyed) {
    raw.write(piece);
    await raw.drained();
    await new Promise(setImmediate);
  }
  await raw.until(answered, 'an answer');
  raw.socket.destroy();
  return { status: Number(raw.received.toString('latin1').split(' ')[1]), headers: {}, text: '' };
}

function check(one, { status, headers, text }) {
  assert.equal(status, one.status ?? 200, text.slice(0, 400));
  for (const [name, pattern] of Object.entries(one.answers ?? {})) assert.match(headers[name] ?? '(none)', new RegExp(pattern), name);
  if (one.empty) assert.equal(text, '');
  const frame = text && headers['content-type'] === 'application/json' ? JSON.parse(text) : {};
  if (one.error) assert.equal(frame.error?.code, one.error, text);
  if (one.result) match({ '~has': one.result }, frame.result, new Map(), 'the result');
  if (!one.gives && !one.fails) return;
  assert.equal(frame.result?.isError ?? false, one.fails !== undefined, text);
  if (one.fails) assert.match(frame.result.content[0].text, new RegExp(one.fails));
  if (one.gives) match({ '~has': one.gives }, frame.result.structuredContent, new Map(), 'the value');
}

async function play(server, one) {
  const usual = one.bare ? {} : await session(server);
  const headers = { ...usual, ...(one.as === 'viewer' ? server.viewerBearer : {}), ...one.headers };
  check(one, one.endless || one.raw ? await beyond(server, headers, one) : await post(server, bodyOf(one), { ...one, headers }));
}

for (const [title, cases] of Object.entries(sections)) {
  scenario(`/mcp: ${title}, ${cases.length} cases`, async (stage) => {
    const server = await stage.server({ looksOn: true });
    for (const one of cases) {
      try {
        await play(server, one);
      } catch (error) {
        error.message = `${one.name}: ${error.message}`;
        throw error;
      }
    }
  });
}

scenario('/mcp: the command of a client that vanishes goes on, and another one reads its output', async (stage) => {
  const server = await stage.server();
  const headers = await session(server);
  const execute = async (args) => {
    const { text } = await post(server, callOf('terminal_execute', args), { headers: await session(server) });
    return JSON.parse(text).result.structuredContent;
  };
  await execute({ command: 'true' });
  const person = await stage.client(server);
  const key = { threadId: 'mcp/default', terminalId: 'default' };
  await person.open({ ...key, cwd: server.home, attach: true });
  const raw = await RawConnection.open(server);
  const body = JSON.stringify(callOf('terminal_execute', { command: 'echo fir""st; read x; echo "<$x>"', timeout: 50 }));
  raw.write(headText({ ...headersOf(server, headers), 'Content-Length': Buffer.byteLength(body) }) + body);
  await person.seen(key, /first\r\n/);
  raw.socket.destroy();
  await raw.end();
  const rest = await execute({ command: 'second', is_input: true, timeout: 50 });
  assert.equal(rest.status, 'completed');
  assert.match(rest.content, /^first\n[^]*<second>$/);
});

scenario('/mcp: one connection answers requests in turn, and a body that stops coming is not waited for', async (stage) => {
  const server = await stage.server();
  const headers = headersOf(server, await session(server));
  const raw = await RawConnection.open(server);
  for (const [id, command] of [[1, 'sleep 0.3; echo one'], [2, 'echo two']]) {
    const body = JSON.stringify(callOf('terminal_execute', { command }, id));
    raw.write(headText({ ...headers, 'Content-Length': Buffer.byteLength(body) }) + body);
  }
  await raw.until(() => /"id":1[^]*"id":2/.test(raw.received.toString('utf8')), 'both answers');
  raw.write(`${headText({ ...headers, 'Content-Length': 100 })}{`);
  await raw.end();
});
