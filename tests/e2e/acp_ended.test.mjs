// Ended programs of agents: how long they are there, and for whom.
import assert from 'node:assert/strict';
import { RELEASES, dial } from './support/acp.mjs';
import { scenario } from './support/stage.mjs';

const [release] = RELEASES;
let sessions = 0;
/** An agent with a session of its own. */
async function agentOf(stage, server) {
  const socket = await stage.socket(server, { path: '/acp' });
  return dial(release, socket, `session-${++sessions}`);
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
