// Agents that come back: what they showed to be let in decides what is theirs, and what they had is offered to them.
// TSan too: connections, terminals and what is lost are on several loops.
import assert from 'node:assert/strict';
import { RELEASES, dial } from './support/acp.mjs';
import { eventually } from './support/process.mjs';
import { scenario } from './support/stage.mjs';

const LINGERING = { args: ['--agent-linger', '3600'] };
const isUnknown = (error) => error.code === -32002;
let sessions = 0;
const name = () => `session-${++sessions}`;

/** An agent; options are those of a socket and of dial(). */
async function agentOf(stage, server, { release = RELEASES[0], session = name(), knows, replays, ...options } = {}) {
  const socket = await stage.socket(server, { path: '/acp', ...options });
  return { socket, ...(await dial(release, socket, session, { knows, replays })) };
}

/** Cuts it, and waits until the server knows. */
async function lose(server, socket) {
  const open = async () => (await (await server.fetch('/debug/connections')).json()).connections.length;
  const before = await open();
  await socket.cut();
  await eventually(async () => (await open()) < before, 'the loss of a connection');
}

const METHODS = ['terminal/output', 'terminal/wait_for_exit', 'terminal/kill', 'terminal/release'];
const OURS = [['screen', {}], ['signal', { signal: 'SIGINT' }], ['input', { data: 'x' }], ['resize', { cols: 90, rows: 30 }], ['subscribe', {}]];
/** Nothing that it may ask reaches the terminal. */
async function findsNothing(agent, terminalId) {
  for (const method of METHODS) await assert.rejects(agent.request(method, { terminalId }), isUnknown, method);
  for (const [method, params] of OURS) await assert.rejects(agent.ours(method, { terminalId, ...params }), isUnknown, method);
}

const waiting = { command: 'sh', args: ['-c', 'read x; exit "$x"'], _meta: { ptyd: { input: true } } };

for (const owner of ['a token', 'a login']) {
  scenario(`a live connection's terminals are nobody else's, nor are they once it is lost: ${owner}`, async (stage) => {
    const server = await stage.server(LINGERING);
    const logins = [await stage.login(server), await stage.login(server)];
    const [login, others] = owner === 'a token' ? [undefined, logins] : [logins[0], [undefined, logins[1]]];
    const agent = await agentOf(stage, server, { login });
    const handle = await agent.create(waiting);
    const strangers = [];
    for (const other of others) strangers.push(await agentOf(stage, server, { login: other, session: agent.sessionId }));
    for (const stranger of strangers) await findsNothing(stranger, handle.id);
    assert.equal((await handle.currentOutput()).exitStatus ?? null, null, 'it runs on');
    await agent.socket.cut();
    for (const stranger of strangers) await findsNothing(stranger, handle.id);
    const again = await agentOf(stage, server, { login, session: agent.sessionId });
    await again.ours('input', { terminalId: handle.id, data: '7\r' });
    assert.equal((await again.request('terminal/wait_for_exit', { terminalId: handle.id })).exitCode, 7);
    await again.request('terminal/release', { terminalId: handle.id });
  });
}

for (const release of RELEASES) {
  scenario(`${release.name}: an agent that comes back is offered its session, and has its terminals`, async (stage) => {
    const server = await stage.server(LINGERING);
    const first = await agentOf(stage, server, { release });
    const { id: terminalId } = await first.create(waiting);
    await lose(server, first.socket);
    const again = await agentOf(stage, server, { release, knows: [first.sessionId] });
    assert.deepEqual(again.offered, [first.sessionId]);
    assert.equal(again.sessionId, first.sessionId);
    assert.equal(again.asked['session/load'].cwd, first.asked['session/new'].cwd);
    assert.equal(again.asked['session/new'], undefined);
    await again.ours('input', { terminalId, data: '3\r' });
    const people = await stage.client(server);
    const { terminals } = await people.call('terminal.list', { threadId: `acp/${first.sessionId}` });
    assert.deepEqual(terminals.map((each) => each.terminalId), [terminalId]);
  });

  scenario(`${release.name}: what an agent tells while it loads its session is known when it goes on`, async (stage) => {
    const server = await stage.server(LINGERING);
    const people = await stage.client(server);
    await people.call('terminal.subscribeEvents', { features: ['toolCall'] });
    const told = async (status) =>
      (await people.events.first((event) => event.type === 'toolCall' && event.toolCall.status === status, status)).toolCall;
    const first = await agentOf(stage, server, { release });
    const { id: terminalId } = await first.create(waiting);
    const begun = { toolCallId: 'c', title: 'Build', kind: 'execute', status: 'pending' };
    const shown = { content: [{ type: 'terminal', terminalId }] };
    await first.update({ sessionUpdate: 'tool_call', ...begun, ...shown });
    await told('pending');
    await lose(server, first.socket);
    const replays = [
      { sessionUpdate: 'tool_call', ...begun, ...shown },
      { sessionUpdate: 'tool_call_update', toolCallId: 'c', title: 'Build it', status: 'in_progress' },
    ];
    const again = await agentOf(stage, server, { release, knows: [first.sessionId], replays });
    assert.deepEqual(await told('in_progress'), { title: 'Build it', kind: 'execute', status: 'in_progress' });
    await again.update({ sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'completed' });
    assert.deepEqual(await told('completed'), { title: 'Build it', kind: 'execute', status: 'completed' });
  });
}

scenario('an agent is offered no session that another credential lost, or that a live connection has', async (stage) => {
  const server = await stage.server(LINGERING);
  const login = await stage.login(server);
  const lost = await agentOf(stage, server);
  await lost.create(waiting);
  const live = await agentOf(stage, server);
  await live.create(waiting);
  await lose(server, lost.socket);
  const stranger = await agentOf(stage, server, { login, knows: [lost.sessionId, live.sessionId] });
  assert.deepEqual(stranger.offered, []);
  const delegate = await stage.socket(server, { path: '/acp?role=delegate' });
  delegate.send({ jsonrpc: '2.0', id: 1, method: 'terminal/create', params: { sessionId: 'of a delegate', ...waiting } });
  await delegate.frames.until(() => delegate.frames.all.find(({ id }) => id === 1), 'the terminal');
  await lose(server, delegate);
  const another = await agentOf(stage, server, { knows: ['of a delegate'] });
  assert.deepEqual(another.offered, [lost.sessionId], 'and it may know none of them');
  assert.notEqual(another.sessionId, lost.sessionId);
});
