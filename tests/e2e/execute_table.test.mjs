// The cases of execute_cases.json on commands in persistent shells: each case in bash, zsh, fish and dash, in a terminal of its
// own that begins in a folder of its own, <<home>>.
//
// `shells` names those that a case is for, where it is not for all, with the reason (`why`); start files have none, as they are
// a shell's own. What a shell does otherwise stands in the step under its name, with the reason: its members take the place of
// the step's own.
//
//   {"do": command, ...}      is executed; `do` is a command or an object of the request's fields. It is completed with `code`
//                             (0), `content` (""), in `dir`; `shows`: content matches it, also in pieces: it is asked for
//                             more until then. `status`: "running"; `closed`, `created`, `clamped`, `truncated`: as told.
//                             `gives`: a pattern (support/pattern.mjs) of other members; `screen`: the rows of the screen match
//                             it; what runs is asked for more until both are so. `patient`: it may be busy at first
//   {"do": ..., "fails": code} is refused
//   {"file": [name, text]}    is put into that folder
//
// `home` of a case: files of a HOME of its own. Behind its steps each case is asked for `$?`, and interrupts a command
// with C-c: whatever it did, the shell's own code is told, and the next command is exact. `last` is what `$?` is where it is
// not the last code.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { DEADLINE_MS } from './support/deadline.mjs';
import { freshThread } from './support/envelope.mjs';
import { fill, match } from './support/pattern.mjs';
import { scenario } from './support/stage.mjs';

const sections = JSON.parse(fs.readFileSync(new URL('execute_cases.json', import.meta.url), 'utf8'));
const SHELLS = ['bash', 'zsh', 'fish', 'dash'];
const AT_ONCE = 12;
/** Texts that are too long to stand among the cases. */
const MADE = [
  ['big', 'x'.repeat(100_000)],
  ['huge', 'z'.repeat(1_000_000)],
  ['long', 'y'.repeat(5_000)],
  ['lines', ': nothing\n'.repeat(20_000)],
  ['same', 'the same line again\n'.repeat(5_000)],
];

/** A step as it is for one shell. */
function stepFor(shell, { bash, zsh, fish, dash, ...step }) {
  const { why, ...own } = { bash, zsh, fish, dash }[shell] ?? {};
  return { ...step, ...own };
}

/** A case for each of its shells. */
function rowsOf({ shells = SHELLS, why, steps, ...row }) {
  return shells.map((shell) => ({ ...row, shell, steps: steps.map((step) => stepFor(shell, step)) }));
}

/** Differences between shells that nothing gives a reason for. */
function unexplained({ name, shells, why, home, steps }) {
  const differing = steps.flatMap((step) => SHELLS.map((shell) => step[shell]).filter(Boolean));
  const limited = shells && !home && !why ? [`${name}: not for all shells`] : [];
  return [...limited, ...differing.filter((own) => !own.why).map((own) => `${name}: ${JSON.stringify(own)}`)];
}

class Case {
  #last = 0;
  #runs = false;
  #env;

  constructor(client, server, row, number) {
    this.client = client;
    this.row = row;
    this.key = { threadId: freshThread(), terminalId: 'a' };
    this.home = path.join(server.home, String(number));
    fs.mkdirSync(this.home);
    this.bound = new Map([['home', this.home], ['shell', row.shell], ...MADE]);
    for (const [name, text] of Object.entries(row.home ?? {})) this.put(name, text);
    this.#env = { ...(row.home ? { HOME: this.home } : {}), ...fill(row.env ?? {}, this.bound) };
  }

  put(name, text) {
    const file = path.join(this.home, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
  }

  ask(asked) {
    const params = fill(typeof asked === 'string' ? { command: asked } : asked, this.bound);
    return this.client.reply('terminal.execute', { ...this.key, cwd: this.home, env: this.#env, shell: this.row.shell, ...params });
  }

  async step(step) {
    if (step.file) return this.put(step.file[0], step.file[1]);
    const { result, error } = await this.asked(step);
    if (step.fails) return assert.equal(error?.code, step.fails, JSON.stringify(error ?? result));
    assert.ok(!error, JSON.stringify(error));
    const answer = await this.whole(step, result);
    this.check(step, answer);
    this.#runs = answer.status === 'running';
    if (!this.#runs) this.#last = answer.terminalClosed ? 0 : answer.exitCode;
  }

  async asked(step) {
    const end = performance.now() + DEADLINE_MS;
    let answer = await this.ask(step.do);
    while (step.patient && answer.error?.code === 'busy' && performance.now() < end) answer = await this.ask(step.do);
    return answer;
  }

  looksRight(step, answer) {
    const rows = () => (answer.screen?.rows ?? []).join('\n');
    if (step.screen !== undefined && !new RegExp(step.screen, 'm').test(rows())) return false;
    try {
      match({ '~has': step.gives ?? {} }, answer, this.bound, 'the answer');
      return true;
    } catch {
      return false;
    }
  }

  /** All of the content, once it shows what it should and the command is where it should be. */
  async whole(step, answer) {
    const wanted = step.status ?? 'completed';
    let content = answer.content;
    const shows = () =>
      (step.shows === undefined || new RegExp(fill(step.shows, this.bound), 'm').test(content)) && this.looksRight(step, answer);
    for (const end = performance.now() + DEADLINE_MS; answer.status === 'running' && performance.now() < end; ) {
      if (answer.status === wanted && shows()) break;
      const more = await this.ask({ command: '', timeout: 0.5 });
      assert.ok(!more.error, JSON.stringify(more.error));
      content += more.result.content;
      answer = { ...more.result, terminalCreated: answer.terminalCreated };
    }
    return { ...answer, content };
  }

  check(step, answer) {
    const said = JSON.stringify(answer).slice(0, 600);
    assert.equal(answer.status, step.status ?? 'completed', said);
    if (answer.status === 'running') assert.equal(answer.exitCode, null, said);
    else if (step.code !== 'any') assert.equal(answer.exitCode, step.code ?? 0, said);
    if (step.shows !== undefined) assert.match(answer.content, new RegExp(fill(step.shows, this.bound), 'm'));
    else assert.equal(answer.content, step.content ?? '', said);
    if (step.dir !== undefined && step.dir !== 'any') assert.equal(answer.workingDir, fill(step.dir, this.bound), said);
    assert.equal(answer.terminalClosed, step.closed ?? false, said);
    if (step.created !== undefined) assert.equal(answer.terminalCreated, step.created, said);
    if (step.clamped !== undefined) assert.equal(answer.timeoutClamped, step.clamped, said);
    match({ '~has': step.gives ?? {} }, answer, this.bound, 'the answer');
    if (step.screen !== undefined) assert.match((answer.screen?.rows ?? []).join('\n'), new RegExp(step.screen, 'm'));
    if (answer.status === 'completed') assert.equal(answer.truncated, step.truncated ?? false, said);
    assert.equal(answer.terminalId, 'a');
  }

  async afterwards() {
    const { result, error } = await this.ask(this.#runs ? { command: '', timeout: 0 } : '');
    assert.ok(!error, JSON.stringify(error));
    if (result.status === 'running') await this.step({ do: 'C-c', shows: '', code: 'any' });
    await this.step({ do: this.row.shell === 'fish' ? 'echo "<$status>"' : 'echo "<$?>"', shows: `<${this.row.last ?? this.#last}>` });
    await this.step({ do: { command: 'echo going; sleep 100', timeout: 0 }, shows: 'going', status: 'running' });
    await this.step({ do: 'C-c', shows: '', code: 130 });
    await this.step({ do: 'echo fi""ne', shows: '^fine$' });
  }
}

async function play(client, server, row, number) {
  const played = new Case(client, server, row, number);
  let at = 0;
  try {
    for (const step of row.steps) {
      at += 1;
      await played.step(step);
    }
    at = 'afterwards';
    if (row.afterwards !== false) await played.afterwards();
  } catch (error) {
    throw new Error(`${row.shell}: ${row.name}, step ${at}: ${error.message}`);
  } finally {
    await client.call('terminal.close', { threadId: played.key.threadId, deleteHistory: true });
  }
}

/** Takes the next case as long as there is one. */
async function worker(stage, server, cases, failures) {
  const client = await stage.client(server);
  for (let next = cases.next(); !next.done; next = cases.next()) {
    const [number, row] = next.value;
    await play(client, server, row, number).catch((error) => failures.push(error.message));
  }
}

const only = process.env.PTYD_CASE && new RegExp(process.env.PTYD_CASE);

scenario('terminal.execute: each difference between shells has its reason', () => {
  assert.deepEqual(Object.values(sections).flat().flatMap(unexplained), []);
});

for (const [section, cases] of Object.entries(sections)) {
  const rows = cases.flatMap(rowsOf).filter(({ name, shell }) => !only || only.test(`${shell}: ${name}`));
  scenario(`terminal.execute: ${section}, ${cases.length} cases, ${rows.length} with each shell`, async (stage) => {
    const server = await stage.server({ env: { LANG: 'C.UTF-8', PYTHON_BASIC_REPL: '1', NODE_REPL_HISTORY: '' } });
    const [queue, failures] = [rows.entries(), []];
    await Promise.all(Array.from({ length: AT_ONCE }, () => worker(stage, server, queue, failures)));
    assert.equal(failures.length, 0, failures.join('\n'));
  });
}
