// Lines 11 to 16 of the security checklist: frames.
// Release too: memory is measured.
import assert from 'node:assert/strict';
import { deflateRawSync } from 'node:zlib';
import { frame, RawConnection } from './support/http.mjs';
import { assertGrowsLess, assertNeverGrewBy, watchMemory } from './support/process.mjs';
import { scenario } from './support/stage.mjs';

const MIB = 1 << 20;
const TEXT = 1;
const CONTINUATION = 0;
const PING = 9;
const LIST = JSON.stringify({ id: '1', body: { _tag: 'terminal.list' } });

const stillAnswers = async (stage, server) => {
  const client = await stage.client(server);
  assert.ok(Array.isArray((await client.call('terminal.list', {})).terminals));
};

/** A server that has answered before, so that nothing is measured that only the first request needs. */
async function warmServer(stage, options) {
  const server = await stage.server({ threads: 2, ...options });
  for (let n = 0; n < 4; n += 1) await stillAnswers(stage, server);
  return { server, memory: watchMemory(server.pid) };
}

async function assertCostsLess(stage, memory, bytes) {
  await assertGrowsLess(stage, memory, bytes);
  assertNeverGrewBy(stage, memory, bytes);
}

scenario('security 11: a frame that announces too much closes with 1009 and costs no memory', async (stage) => {
  const { server, memory } = await warmServer(stage);
  for (const announce of [2n ** 62n, 2n ** 40n, 64n * BigInt(MIB)]) {
    const raw = await RawConnection.webSocket(server);
    raw.write(frame(TEXT, 'x', { announce }));
    assert.equal(await raw.closeCode(), 1009, String(announce));
    raw.socket.destroy();
  }
  await assertCostsLess(stage, memory, 8 * MIB);
  await stillAnswers(stage, server);
});

scenario('security 12: fragments without end are bounded', async (stage) => {
  const { server, memory } = await warmServer(stage);
  const raw = await RawConnection.webSocket(server);
  raw.write(frame(TEXT, '[', { fin: false }));
  const many = Buffer.concat(Array.from({ length: 10_000 }, () => frame(CONTINUATION, '', { fin: false })));
  const some = Buffer.concat(Array.from({ length: 10_000 }, () => frame(CONTINUATION, ' '.repeat(100), { fin: false })));
  const closed = raw.closeCode();
  const over = () => raw.socket.destroyed || raw.frames().length > 0;
  for (let n = 0; n < 50 && !over(); n += 1) {
    raw.write(n % 2 ? many : some);
    await Promise.race([raw.drained(), closed]);
  }
  assert.equal(await closed, 1009);
  raw.socket.destroy();
  await assertCostsLess(stage, memory, 32 * MIB);
  await stillAnswers(stage, server);
});

scenario('security 12: a ping between fragments is answered, and the message arrives', async (stage) => {
  const server = await stage.server();
  const raw = await RawConnection.webSocket(server);
  raw.write(frame(TEXT, LIST.slice(0, 10), { fin: false }));
  raw.write(frame(PING, 'hi'));
  raw.write(frame(CONTINUATION, LIST.slice(10)));
  await raw.until(() => raw.frames().some(({ opcode, payload }) => opcode === 10 && String(payload) === 'hi'), 'the pong');
  await raw.until(() => raw.frames().some(({ payload }) => String(payload).includes('"terminals"')), 'the reply');
  raw.socket.destroy();
});

const malformed = [
  ['an unmasked frame', () => frame(TEXT, LIST, { mask: false }), [1002]],
  ['a reserved bit', () => frame(TEXT, LIST, { rsv: 2 }), [1002]],
  ['compression that was not agreed', () => frame(TEXT, LIST, { rsv: 4 }), [1002]],
  ['an unknown opcode', () => frame(3, 'x'), [1002]],
  ['an unknown control opcode', () => frame(11, 'x'), [1002]],
  ['text that is not UTF-8', () => frame(TEXT, Buffer.from([0x22, 0xff, 0xfe, 0x22])), [1007]],
  ['text that ends inside a character', () => frame(TEXT, Buffer.from([0x22, 0xe2, 0x82])), [1007]],
  ['a ping of 126 bytes', () => frame(PING, 'x'.repeat(126)), [1002]],
  ['a ping in pieces', () => frame(PING, 'x', { fin: false }), [1002]],
  ['a close of one byte', () => frame(8, 'x'), [1002]],
  ['a close code that does not exist', () => frame(8, Buffer.from([0x03, 0xed])), [1002]],
  ['a continuation of nothing', () => frame(CONTINUATION, 'x'), [1002]],
];
for (const [name, make, codes] of malformed) {
  scenario(`security 13: ${name} closes with ${codes.join(' or ')}`, async (stage) => {
    const server = await stage.server();
    const raw = await RawConnection.webSocket(server);
    raw.write(make());
    assert.ok(codes.includes(await raw.closeCode()));
    raw.socket.destroy();
    await stillAnswers(stage, server);
  });
}

const DEFLATES = { ws: { perMessageDeflate: true } };
/** As a proxy on this machine says it: the client is somewhere else. */
const FROM_AFAR = { 'X-Forwarded-For': '203.0.113.7' };

scenario('security 14: nothing is compressed unless the server was told to, and nothing for this machine', async (stage) => {
  const plain = await stage.server();
  assert.equal((await stage.socket(plain, { ...DEFLATES, headers: FROM_AFAR })).ws.extensions, '');
  const deflating = await stage.server({ args: ['--deflate'] });
  assert.equal((await stage.socket(deflating, DEFLATES)).ws.extensions, '');
});

scenario('security 14: what inflates past the limit closes with 1009', async (stage) => {
  const { server, memory } = await warmServer(stage, { args: ['--deflate'] });
  const bomb = deflateRawSync(Buffer.alloc(256 * MIB, 0x20));
  const socket = await stage.socket(server, { ...DEFLATES, headers: FROM_AFAR });
  assert.match(socket.ws.extensions, /^permessage-deflate/);
  socket.ws._socket.write(frame(TEXT, bomb, { rsv: 4 }));
  assert.equal((await socket.ended()).code, 1009);
  await assertCostsLess(stage, memory, 32 * MIB);
  await stillAnswers(stage, server);
});

/** Sends `flood` 200 times, or until the server has answered others so often meanwhile that it will not take more. */
async function pour(stage, server, raw, flood) {
  for (let sent = 0; sent < 200 && !raw.socket.destroyed; sent += 1) {
    raw.write(flood);
    let taken = false;
    const drained = raw.drained().then(() => (taken = true));
    for (let others = 0; others < 20 && !taken; others += 1) await Promise.race([drained, stillAnswers(stage, server)]);
    if (!taken) return;
  }
}

/** Terminals that have much to tell: whoever asks gets far more than he sent. */
async function fullTerminals(stage, server) {
  const client = await stage.client(server);
  const { key } = await client.open({ cols: 500, rows: 200, policy: 'lossless' });
  await client.run(key, "seq 1 60000; printf '\\033[31mal''l\\n'\r", 'all\r\n');
  for (let n = 0; n < 20; n += 1) await client.open({ threadId: 'many', terminalId: `t${n}` });
  return key;
}

scenario('security 15: a flood of pings or messages from who never reads stays within a budget', async (stage) => {
  const { server } = await warmServer(stage);
  const key = await fullTerminals(stage, server);
  const call = (tag, more = {}) => frame(TEXT, JSON.stringify({ id: '1', body: { _tag: tag, ...more } }));
  const floods = [
    frame(PING, 'x'.repeat(100)),
    call('terminal.list'),
    call('terminal.open', { ...key, cwd: '/', attach: true }),
    call('terminal.snapshot', { ...key, format: 'cells', scrollback: 5000 }),
    call('terminal.nothing'),
  ];
  const memory = watchMemory(server.pid);
  for (const one of floods) {
    const flood = Buffer.concat(Array.from({ length: 500 }, () => one));
    const raw = await RawConnection.webSocket(server);
    raw.socket.pause();
    await pour(stage, server, raw, flood);
    await assertCostsLess(stage, memory, 48 * MIB);
    await stillAnswers(stage, server);
    raw.socket.destroy();
  }
});

const ugly = [
  ['nested a hundred thousand deep', () => '['.repeat(100_000)],
  ['objects nested ten thousand deep', () => '{"a":'.repeat(10_000)],
  ['a hundred thousand keys', () => `{"id":"1","body":{"_tag":"terminal.list",${Array.from({ length: 50_000 }, (_, n) => `"k${n}":1`).join()}}}`],
  ['numbers past every range', () => '{"id":"1","body":{"_tag":"terminal.resize","threadId":"t","cols":1e400,"rows":18446744073709551616}}'],
  ['a mebibyte of string where a name belongs', () => `{"id":"1","body":{"_tag":"terminal.write","threadId":"${'x'.repeat(MIB - 200)}","data":"x"}}`],
  ['keys given twice', () => '{"id":"1","id":"2","body":{"_tag":"terminal.list","_tag":"terminal.nothing"}}'],
  ['a lone surrogate', () => '{"id":"1","body":{"_tag":"terminal.write","threadId":"t","data":"\\ud800"}}'],
  ['a NUL in a name', () => '{"id":"1","body":{"_tag":"terminal.open","threadId":"t","cwd":"/tmp\\u0000/x"}}'],
];
for (const [name, make] of ugly) {
  scenario(`security 16: ${name} is answered, quickly, and the next message too`, async (stage) => {
    const server = await stage.server();
    const socket = await stage.socket(server);
    socket.send(make());
    await socket.frames.first((answer) => 'id' in answer, 'an answer');
    const count = socket.frames.all.length;
    socket.send({ id: 'after', body: { _tag: 'terminal.list' } });
    await socket.frames.first((answer) => answer.id === 'after' && answer.result, 'the next answer', { from: count });
  });
}
