// The SDK's clients of /mcp. They check each structuredContent against the schema that they were given, and throw where it does
// not agree.
// TSan too: a call goes from its connection's loop to the sessions' loop 0 and its terminal's loop, and back.
import assert from 'node:assert/strict';
import path from 'node:path';
import { CLIENTS, mcpClient, post } from './support/mcp.mjs';
import { scenario } from './support/stage.mjs';

const TOOLS = ['terminal_execute', 'terminal_list', 'terminal_screen', 'terminal_resize', 'terminal_close'];
const TERMINALS = 100;

/** A server, and a client of each kind that has been given the schemas. */
function everyClient(title, check) {
  for (const name of CLIENTS) {
    scenario(`${title} (${name})`, async (stage) => {
      const server = await stage.server();
      const client = await mcpClient(server, name);
      const { tools } = await client.listTools();
      assert.deepEqual(tools.map((tool) => tool.name), TOOLS);
      await check({ stage, server, client, name });
      await client.close();
    });
  }
}

const value = (result) => result.structuredContent;

everyClient('a terminal keeps what was done there', async ({ client, server }) => {
  await client.ping();
  const first = value(await client.tool('terminal_execute', { command: 'mkdir kept && cd kept && X=7', cwd: server.home }));
  assert.deepEqual([first.exit_code, first.terminal_created], [0, true]);
  const next = await client.tool('terminal_execute', { command: 'echo $X; pwd; (exit 3)' });
  const kept = path.join(server.home, 'kept');
  assert.deepEqual([value(next).content, value(next).exit_code, value(next).working_dir], [`7\n${kept}`, 3, kept]);
  assert.equal(next.isError ?? false, false);
  assert.match(next.content[0].text, /^7\n.*\n\[completed, exit code 3; working directory /);
});

everyClient('answers keep to the schemas in every state', async ({ client }) => {
  const execute = async (command, args = {}) => client.tool('terminal_execute', { command, timeout: 50, ...args });
  const states = [await execute('echo going; sleep 100', { timeout: 0 })];
  for (let shown = value(states[0]).content; !shown.includes('going'); ) shown += value(await execute('', { timeout: 0.5 })).content;
  states.push(await execute('true'));
  // A key is answered once its echo is quiet, however long the shell takes to end.
  let ended = await execute('C-c');
  while (value(ended).status === 'running') ended = await execute('');
  states.push(ended, await execute(''), await execute('x', { is_input: true }));
  states.push(await execute('exit 3'), await execute('true', { cols: 1 }));
  const seen = states.map((each) => [value(each).status, value(each).exit_code, value(each).error_code]);
  assert.deepEqual(seen, [
    ['running', null, undefined], ['error', null, 'busy'], ['completed', 130, undefined], ['completed', 130, undefined],
    ['error', null, 'not_running'], ['completed', 3, undefined], ['error', null, 'bad_request'],
  ]);
  assert.deepEqual(states.map((each) => each.isError ?? false), seen.map(([status]) => status === 'error'));
  await execute('printf "\\e]2;a title\\e\\\\"');
  assert.equal(value(await client.tool('terminal_resize', { terminal_id: 'default', cols: 90, rows: 20 })).terminal_id, 'default');
  const screen = value(await client.tool('terminal_screen', { scrollback: 10 }));
  assert.deepEqual([screen.cols, screen.rows, screen.title], [90, 20, 'a title']);
  assert.deepEqual(value(await client.tool('terminal_list')).terminals.map((each) => each.thread_id), ['mcp/default']);
  assert.equal(value(await client.tool('terminal_close', { terminal_id: 'default' })).terminal_id, 'default');
  assert.deepEqual(value(await client.tool('terminal_list')).terminals, []);
});

everyClient('a mistake is told by its name', async ({ client }) => {
  const wrong = await client.tool('terminal_execute', { command: 'true', isInput: true });
  assert.equal(wrong.isError, true);
  assert.equal(wrong.content[0].text, 'arguments.isInput: is no argument of this tool');
  await assert.rejects(client.tool('terminal_exec'), (error) => error.code === -32602 || /unknown tool/i.test(error.message));
});

everyClient('terminals outlive a session, and people see them', async ({ stage, client, server, name }) => {
  await client.tool('terminal_execute', { command: 'X=still' });
  const person = await stage.client(server);
  const key = { threadId: 'mcp/default', terminalId: 'default' };
  await person.open({ ...key, cwd: server.home, attach: true });
  await post(server, undefined, { method: 'DELETE', headers: { 'Mcp-Session-Id': client.transport.sessionId } });
  await assert.rejects(client.tool('terminal_list'), /Session not found/);
  const next = await mcpClient(server, name);
  assert.equal(value(await next.tool('terminal_execute', { command: 'echo "<$X>"' })).content, '<still>');
  await person.seen(key, /<still>/);
  await next.transport.terminateSession();
  await next.close();
});

scenario(`${TERMINALS} calls in as many terminals at once`, async (stage) => {
  const server = await stage.server();
  const client = await mcpClient(server, CLIENTS[0]);
  const one = async (_, n) => {
    const terminal_id = `t${n}`;
    let answer = value(await client.tool('terminal_execute', { command: `echo ${n}; (exit ${n})`, terminal_id, timeout: 55 }));
    let { content } = answer;
    while (answer.status === 'running') {
      answer = value(await client.tool('terminal_execute', { command: '', terminal_id, timeout: 55 }));
      content += answer.content;
    }
    assert.deepEqual([content, answer.exit_code, answer.terminal_id], [`${n}`, n, terminal_id], JSON.stringify(answer));
  };
  await Promise.all(Array.from({ length: TERMINALS }, one));
  assert.equal(value(await client.tool('terminal_list')).terminals.length, TERMINALS);
  await client.close();
});
