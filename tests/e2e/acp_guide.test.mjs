// The agent of the guide, protocol/agents.md, run as it stands there.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { within } from './support/deadline.mjs';
import { eventually } from './support/process.mjs';
import { scenario } from './support/stage.mjs';

const ts = createRequire(new URL('../../web/package.json', import.meta.url))('typescript');
const read = (name) => fs.readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
/** The first piece of JavaScript of that text. */
const example = (text) => text.match(/```js\n(.*?)```/s)[1];
const GUIDE = example(read('protocol/agents.md'));

/** `await using` as a Node says it that does not know it yet; the rest stays. */
const spelledOut = (text) =>
  ts.transpileModule(text, { compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext } }).outputText;

/** The packages that the guide tells to install, where `folder` finds them. */
function install(folder) {
  const link = (name, release) => {
    const at = path.join(folder, 'node_modules', name);
    fs.mkdirSync(path.dirname(at), { recursive: true });
    fs.symlinkSync(fileURLToPath(new URL(`node_modules/${release}`, import.meta.url)), at);
  };
  link('@agentclientprotocol/sdk', 'acp-sdk-2');
  link('ws', 'ws');
}

/** A process that runs the guide for that server; `printed()` is its standard output. */
function runGuide(server) {
  const folder = path.join(server.home, 'agent');
  install(folder);
  const here = GUIDE.replace('127.0.0.1:7681', `127.0.0.1:${server.port}`);
  assert.notEqual(here, GUIDE, 'it names the port');
  fs.writeFileSync(path.join(folder, 'agent.mjs'), `const token = ${JSON.stringify(server.token)};\n${spelledOut(here)}`);
  const child = spawn(process.execPath, ['agent.mjs'], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '', errors = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (printed += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (errors += text));
  return { child, printed: () => printed, errors: () => errors };
}

scenario('the agent of the guide builds with make, says how that went, and leaves nothing', async (stage) => {
  assert.match(GUIDE, /^ *await using /m);
  const server = await stage.server();
  fs.writeFileSync(path.join(server.home, 'Makefile'), 'all: one other\n%:\n\t@echo made $@\n');
  const client = await stage.client(server);
  const agent = runGuide(server);
  const ended = once(agent.child, 'close');
  try {
    await eventually(() => agent.printed().includes('made other'), () => `the build; the agent says ${agent.printed()}${agent.errors()}`);
    assert.match(agent.printed(), /^\{ exitCode: 0, signal: null \} made/);
    assert.match(agent.printed(), /^(.* )?made one$/m);
    await eventually(async () => (await client.call('terminal.list', {})).terminals.length === 0, 'its terminal to be released');
    assert.equal(agent.child.exitCode, null, 'it was not the end of its connection that released it');
  } finally {
    agent.child.kill('SIGTERM');
    await within(ended, 'the agent to end');
  }
  assert.equal(agent.errors(), '');
});

scenario('the lines of the first page are those of the guide', async () => {
  const lines = (text) => text.trim().split('\n').map((line) => line.trim());
  const guide = lines(GUIDE);
  for (const line of lines(example(read('README.md')))) assert.ok(guide.includes(line), `the guide has no line ${line}`);
});
