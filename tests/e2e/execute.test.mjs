// terminal.execute beside other clients: people, other agents, the end of the terminal and of the server.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { within } from './support/deadline.mjs';
import { freshThread } from './support/envelope.mjs';
import { eventually } from './support/process.mjs';
import { scenario } from './support/stage.mjs';

const fresh = () => ({ threadId: freshThread(), terminalId: 'a' });
const execute = (client, key, params) => client.call('terminal.execute', { ...key, ...(typeof params === 'string' ? { command: params } : params) });
const refused = async (client, params) => (await client.reply('terminal.execute', { ...fresh(), command: 'true', ...params })).error;
const begin = (client, key, command) => execute(client, key, { command, timeout: 0 });
/** Asks for more until the content shows `wanted`. */
async function shown(client, key, wanted) {
  let content = '';
  while (!wanted.test(content)) {
    const answer = await execute(client, key, { command: '', timeout: 0.2 });
    content += answer.content;
    assert.ok(answer.status === 'running' || wanted.test(content), JSON.stringify(answer));
  }
  return content;
}
const shells = (server) => fs.readdirSync(path.join(server.stateDir, 'shells'));

scenario('one call of the documentation', async (stage) => {
  const client = await stage.client(await stage.server());
  const key = fresh();
  const { durationMs, ...answer } = await execute(client, key, 'cd /usr && false');
  assert.deepEqual(answer, {
    content: '', command: 'cd /usr && false', terminalId: 'a', status: 'completed', exitCode: 1, workingDir: '/usr',
    truncated: false, omittedLines: 0, omittedBytes: 0, totalBytes: 0, terminalCreated: true, terminalClosed: false, timeoutClamped: false,
    inputMode: null, foreground: null, altScreen: false, maybeIdle: false,
  });
  assert.ok(durationMs >= 0);
});

scenario('effect rpc gives the same answer', async (stage) => {
  const server = await stage.server();
  const socket = await stage.socket(server);
  socket.send({ _tag: 'Request', id: '1', tag: 'terminal.execute', payload: { threadId: 't', command: 'cd /usr; echo hi; sh -c "exit 4"', timeout: null }, headers: [] });
  const { exit } = await socket.frames.first((frame) => frame._tag === 'Exit' && frame.requestId === '1', 'the answer');
  assert.equal(exit._tag, 'Success', JSON.stringify(exit));
  assert.deepEqual([exit.value.content, exit.value.exitCode, exit.value.workingDir, exit.value.terminalId], ['hi', 4, '/usr', 'default']);
  socket.send({ _tag: 'Request', id: '2', tag: 'terminal.execute', payload: { threadId: 't', command: 'x', misspelt: 1 }, headers: [] });
  const second = await socket.frames.first((frame) => frame.requestId === '2', 'the refusal');
  assert.match(JSON.stringify(second), /misspelt/);
});

scenario('what is wrong is refused by name, and starts nothing', async (stage) => {
  const server = await stage.server();
  const client = await stage.client(server);
  const cases = [
    [{ command: undefined }, /body\.command: is missing/], [{ command: 5 }, /body\.command: 5 is not a string/], [{ command: null }, /body\.command/],
    [{ command: 'a\u0000b' }, /body\.command: holds a NUL/], [{ isInput: 'yes' }, /body\.isInput/], [{ noEnter: 1 }, /body\.noEnter/],
    [{ timeout: '5' }, /body\.timeout: "5" is not a number/], [{ timeout: -0.1 }, /body\.timeout: -.* is below 0/], [{ cols: 19 }, /body\.cols: 19 is below 20/],
    [{ rows: 1001 }, /body\.rows: 1001 is above 1000/], [{ env: { 'A=': '' } }, /body\.env/], [{ cwd: '' }, /body\.cwd/], [{ cwd: '/no/such/place' }, /cwd/],
    [{ shell: 'tcsh' }, /body\.shell: "tcsh"/], [{ shell: './bash' }, /body\.shell/], [{ shell: '/bin/true' }, /body\.shell/], [{ shell: 5 }, /body\.shell/],
    [{ is_input: true }, /body\.is_input: is no field/], [{ timout: 5 }, /body\.timout: is no field/], [{ noEnter: true }, /noEnter/],
    [{ threadId: 'acp/x' }, /threadId/],
  ];
  for (const [params, says] of cases) {
    const error = await refused(client, params);
    assert.ok(error, JSON.stringify(params));
    assert.match(error.message, says, JSON.stringify(params));
  }
  assert.equal((await refused(client, { isInput: true }))?.code, 'not_found');
  assert.equal((await refused(client, { command: 'C-c' }))?.code, 'not_running');
  const { terminals } = await client.call('terminal.list', {});
  assert.deepEqual(terminals, []);
});

scenario('who may only look on gives no commands', async (stage) => {
  const server = await stage.server({ looksOn: true });
  const viewer = await stage.client(server, { headers: server.viewerBearer });
  assert.equal((await refused(viewer, {}))?.code, 'denied');
});

scenario('a terminal that a person opened is theirs', async (stage) => {
  const client = await stage.client(await stage.server());
  const { key } = await client.open();
  const { error } = await client.reply('terminal.execute', { ...key, command: 'true' });
  assert.equal(error.code, 'no_integration');
  assert.match(error.message, /another terminalId/);
});

scenario('people see what runs, and nothing of how it is told', async (stage) => {
  const client = await stage.client(await stage.server());
  const key = fresh();
  await execute(client, key, 'cd /usr');
  const snapshot = await client.open({ ...key, attach: true });
  await execute(client, key, "echo vis''ible; printf '\\033]6973;x\\007'; sh -c 'exit 3'");
  await client.seen(key, 'visible');
  const after = await client.call('terminal.snapshot', { ...key, format: 'vt', scrollback: 1000 });
  const list = await client.call('terminal.list', { threadId: key.threadId });
  for (const text of [snapshot.history, client.output(key), after.text, JSON.stringify(list)]) assert.doesNotMatch(text, /6973/);
});

scenario('a person at the prompt makes it busy, and what they run is in no answer', async (stage) => {
  const client = await stage.client(await stage.server());
  const key = fresh();
  await execute(client, key, 'true');
  await client.open({ ...key, attach: true });
  await execute(client, key, "PS1='here> '");
  await client.seen(key, 'here> ');
  await client.write(key, "echo the''ir half a l");
  const first = (await client.reply('terminal.execute', { ...key, command: 'echo mine' })).error;
  assert.equal(first.code, 'busy');
  assert.match(first.message, /prompt/);
  await client.run(key, 'ine\r', /half a line\r?\n/);
  let answer;
  do answer = await client.reply('terminal.execute', { ...key, command: 'echo mine' });
  while (answer.error?.code === 'busy');
  assert.equal(answer.result.content, 'mine');
});

scenario('what a person answers to a program of ours reaches it', async (stage) => {
  const client = await stage.client(await stage.server());
  const key = fresh();
  await begin(client, key, 'echo ready; head -n 1 | tr a-z A-Z');
  await shown(client, key, /ready/);
  await client.write(key, 'from a person\r');
  assert.match(await shown(client, key, /FROM/), /FROM A PERSON/);
});

scenario('a second command at once is busy, and nothing of it is run', async (stage) => {
  const client = await stage.client(await stage.server());
  const key = fresh();
  await begin(client, key, 'echo first; while ! test -e go; do sleep 0.05; done; sh -c "exit 7"');
  await shown(client, key, /first/);
  const { error } = await client.reply('terminal.execute', { ...key, command: 'touch never' });
  assert.equal(error.code, 'busy');
  assert.match(error.message, /echo first/);
  const { result } = await client.reply('terminal.execute', { threadId: key.threadId, terminalId: 'b', command: 'ls never; touch go' });
  assert.match(result.content, /never/);
  assert.equal((await execute(client, key, '')).exitCode, 7);
});

for (const [name, method, params] of [
  ['a close', 'terminal.close', {}],
  ['a restart', 'terminal.restart', { cwd: '/', cols: 80, rows: 24 }],
])
  scenario(`${name} answers those that wait, first`, async (stage) => {
    const client = await stage.client(await stage.server());
    const key = fresh();
    await begin(client, key, 'echo begun; sleep 600');
    await shown(client, key, /begun/);
    const order = [];
    const waiting = client.reply('terminal.execute', { ...key, command: '' }).then(({ error }) => order.push(error.code));
    await client.call('terminal.list', {});
    await client.call(method, { ...key, ...params }).then(() => order.push('done'));
    await within(waiting, 'the answer');
    assert.deepEqual(order, ['exited', 'done']);
  });

scenario('the end of the server answers those that wait', async (stage) => {
  const server = await stage.server();
  const client = await stage.client(server);
  const key = fresh();
  await begin(client, key, 'echo begun; sleep 600');
  await shown(client, key, /begun/);
  const waiting = client.reply('terminal.execute', { ...key, command: '' });
  await client.call('terminal.list', {});
  await server.stop();
  assert.match((await within(waiting, 'the answer')).error.message, /ending/);
});

scenario('a client that goes leaves its command running', async (stage) => {
  const server = await stage.server();
  const [gone, client] = [await stage.client(server), await stage.client(server)];
  const key = fresh();
  gone.send('terminal.execute', { ...key, command: 'echo begun; while ! test -e go; do sleep 0.05; done; echo went on' });
  while (!fs.existsSync(path.join(server.stateDir, 'shells')) || shells(server).length === 0) await client.call('terminal.list', {});
  gone.cut();
  // Until then the end of the command is told to a client that is gone.
  const connections = async () => (await (await server.fetch('/debug/connections')).json()).connections.length;
  await eventually(async () => (await connections()) === 1, 'the server to see that it is gone');
  await client.reply('terminal.execute', { ...key, terminalId: 'b', command: 'touch go' });
  let answer = await execute(client, key, '');
  if (answer.terminalCreated) answer = await execute(client, key, '');
  assert.equal(answer.exitCode, 0);
  assert.match(answer.content, /went on/);
});

scenario('private files are private, and go with the shell', async (stage) => {
  const server = await stage.server();
  const client = await stage.client(server);
  const key = fresh();
  const { content } = await execute(client, key, 'tr "\\0" " " </proc/$$/cmdline; tr "\\0" "\\n" </proc/$$/environ | grep -ci __ptyd');
  const [folder] = shells(server);
  const inside = path.join(server.stateDir, 'shells', folder);
  assert.equal(fs.statSync(inside).mode & 0o777, 0o700);
  for (const name of fs.readdirSync(inside)) assert.equal(fs.statSync(path.join(inside, name)).mode & 0o777, 0o600, name);
  const nonce = fs.readFileSync(path.join(inside, 'rc'), 'utf8').match(/__ptyd_n='([0-9a-f]{32})'/)[1];
  assert.ok(!content.includes(nonce));
  assert.match(content, /0$/);
  await client.call('terminal.close', key);
  while (shells(server).length > 0) await client.call('terminal.list', {});
});

scenario('private files of shells go with the server', async (stage) => {
  const server = await stage.server();
  const client = await stage.client(server);
  await execute(client, fresh(), 'echo secret');
  assert.equal(shells(server).length, 1);
  await server.stop();
  assert.ok(!fs.existsSync(path.join(server.stateDir, 'shells')));
});

scenario('100 commands in 100 terminals at once', async (stage) => {
  const client = await stage.client(await stage.server());
  const one = async (_, n) => {
    const key = { threadId: `many ${n % 4}`, terminalId: `${n}` };
    let answer = await execute(client, key, `cd /usr; echo number ${n}; sh -c 'exit ${n}'`);
    let { content } = answer;
    while (answer.status === 'running') {
      answer = await execute(client, key, '');
      content += answer.content;
    }
    assert.deepEqual([content, answer.exitCode, answer.workingDir], [`number ${n}`, n, '/usr']);
    assert.equal((await execute(client, key, 'echo $?')).content, `${n}`);
  };
  await Promise.all(Array.from({ length: 100 }, one));
});
