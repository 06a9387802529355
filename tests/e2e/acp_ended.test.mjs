// Ended programs of agents: how long they are there, and for whom.
import assert from 'node:assert/strict';
import { RELEASES, dial } from './support/acp.mjs';
import { scenario } from './support/stage.mjs';

const [release] = RELEASES;
let sessions = 0;
/** An agent with a session of its own. */
async function agentOf(stage, server, by = release) {
  const socket = await stage.socket(server, { path: '/acp' });
  return dial(by, socket, `session-${++sessions}`);
}

scenario('programs of one agent push out none of another and no shell', async (stage) => {
  const server = await stage.server();
  const people = await stage.client(server);
  const { key } = await people.open();
  await people.write(key, 'exit\r');
  await people.event(key, 'exited');
  const [one, other] = [await agentOf(stage, server), await agentOf(stage, server)];
  const kept = await one.create({ command: 'echo', args: ['kept'] });
  await kept.waitForExit();
  for (let batch = 0; batch < 13; batch += 1) {
    const handles = await Promise.all(Array.from({ length: 10 }, () => other.create({ command: 'true' })));
    await Promise.all(handles.map((handle) => handle.waitForExit()));
  }
  assert.equal((await kept.currentOutput()).output, 'kept\n');
  const { terminals } = await people.call('terminal.list', { threadId: key.threadId });
  assert.deepEqual(terminals.map(({ terminalId }) => terminalId), [key.terminalId]);
});

scenario('a handle that goes out of scope beside a release of its own is released', async (stage) => {
  const agent = await agentOf(stage, await stage.server());
  const handle = await agent.create({ command: 'sleep', args: ['100000'] });
  await Promise.all([handle.release(), handle[Symbol.asyncDispose](), handle.release()]);
  await assert.rejects(handle.currentOutput(), (error) => error.code === -32002);
});

for (const each of RELEASES) {
  scenario(`${each.name}: people are told of the tool call that shows a terminal, also after its release`, async (stage) => {
    const server = await stage.server();
    const people = await stage.client(server), plain = await stage.client(server);
    await people.call('terminal.subscribeEvents', { features: ['toolCall'] });
    const agent = await agentOf(stage, server, each);
    const call = { toolCallId: 'call-1' };
    await agent.update({ ...call, sessionUpdate: 'tool_call', title: 'Say\n so', kind: 'execute', status: 'pending' });
    const handle = await agent.create({ command: 'echo', args: ['so'] });
    const content = [{ type: 'terminal', terminalId: handle.id }];
    await agent.update({ ...call, sessionUpdate: 'tool_call_update', status: 'in_progress', content });
    const key = { threadId: `acp/${agent.sessionId}`, terminalId: handle.id };
    const toldOf = async (status) =>
      (await people.events.first((event) => event.type === 'toolCall' && event.toolCall.status === status, status)).toolCall;
    assert.deepEqual(await toldOf('in_progress'), { title: 'Say so', kind: 'execute', status: 'in_progress' });
    await handle.waitForExit();
    await handle.release();
    await agent.update({ ...call, sessionUpdate: 'tool_call_update', status: 'completed' });
    const completed = { title: 'Say so', kind: 'execute', status: 'completed' };
    assert.deepEqual(await toldOf('completed'), completed);
    const { terminals } = await plain.call('terminal.list', { threadId: key.threadId });
    assert.deepEqual(terminals.map(({ terminalId, toolCall }) => ({ terminalId, toolCall })), [{ terminalId: handle.id, toolCall: completed }]);
    assert.deepEqual((await plain.open({ ...key, attach: true })).toolCall, completed);
    assert.ok(!plain.events.all.some(({ type }) => type === 'toolCall'), 'it did not ask');
  });
}
