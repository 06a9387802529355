// The commands of execute_corpus by terminal.execute, one after the other in a shell that lives on, with and without start files
// of several kinds: how many of the ends, codes and directories that are told are those that the shell itself has. Each row that
// differs is named on stderr.
import fs from 'node:fs';
import path from 'node:path';
import { commands, furnish, rowsOf } from './corpus.mjs';
import { round } from './round.mjs';

const START_FILES = new URL('start_files/', import.meta.url);
const AT_ONCE = 4;
const TIMEOUT_S = 20;
const HOME_FILE = { bash: '.bashrc', zsh: '.zshrc', fish: '.config/fish/config.fish' };

/** Shells, each with the start file that it has. */
const PROFILES = [
  ...['bash', 'zsh', 'fish', 'dash', 'sh'].map((shell) => ({ shell })),
  ...['starship.bash', 'preexec.bash', 'starship.zsh', 'oh_my.zsh', 'prompt.fish'].map((file) => ({ shell: path.extname(file).slice(1), file })),
];
const KINDS = ['ends', 'codes', 'directories', 'outputs'];

/** Counts what was asked and what was right, by kind. */
class Score {
  #asked = Object.fromEntries(KINDS.map((kind) => [kind, 0]));
  #right = { ...this.#asked };
  slowest_ms = 0;

  count(kind, isRight) {
    this.#asked[kind] += 1;
    this.#right[kind] += isRight ? 1 : 0;
    return isRight;
  }

  results() {
    const percent = Object.fromEntries(KINDS.map((kind) => [kind, (100 * this.#right[kind]) / this.#asked[kind]]));
    return { commands, answers: this.#asked.ends, ...percent, slowest_ms: this.slowest_ms };
  }
}

class Session {
  #key;
  #launch;

  constructor(client, score, { shell, file }, folder) {
    this.client = client;
    this.score = score;
    this.name = file ?? shell;
    this.shell = shell;
    this.scratch = path.join(folder, this.name, 'scratch');
    const home = path.join(folder, this.name, 'home');
    furnish(this.scratch);
    fs.mkdirSync(home);
    if (file) this.#begin(new URL(file, START_FILES), path.join(home, HOME_FILE[shell]));
    this.#key = { threadId: this.name, terminalId: 'corpus' };
    this.#launch = { cwd: this.scratch, shell, env: { HOME: home } };
  }

  #begin(startFile, target) {
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.copyFileSync(startFile, target);
  }

  async run() {
    for (const row of rowsOf(this.shell)) {
      await this.#check(row);
      if (row.dir !== '.') await this.#check({ do: `cd '${this.scratch}'`, code: 0, dir: '.', closed: false, after: row.do });
    }
  }

  async #check(row) {
    const begin = performance.now();
    const answer = await this.#answer(row.do);
    this.score.slowest_ms = Math.max(this.score.slowest_ms, performance.now() - begin);
    const wrong = this.#compare(row, answer);
    if (wrong.length) this.#report(row, answer, wrong);
    if (answer.status !== 'completed') await this.client.call('terminal.close', { ...this.#key, deleteHistory: true });
  }

  #answer(command) {
    const params = { ...this.#key, ...this.#launch, command, literal: true, timeout: TIMEOUT_S };
    return this.client.call('terminal.execute', params).catch(({ message }) => ({ status: message }));
  }

  /** The kinds that differ. What does not end has nothing right. */
  #compare(row, answer) {
    const { status, exitCode, workingDir, terminalClosed, content } = answer;
    const ended = status === 'completed' && terminalClosed === row.closed;
    const place = path.resolve(this.scratch, row.dir);
    const asked = [['ends', ended], ['codes', ended && (row.code === 'any' || exitCode === row.code)]];
    if (!row.closed) asked.push(['directories', ended && (row.dir === 'any' || workingDir === place)]);
    if (row.out !== undefined) asked.push(['outputs', ended && content === row.out]);
    if (row.like !== undefined) asked.push(['outputs', ended && new RegExp(row.like, 'm').test(content)]);
    return asked.filter(([kind, isRight]) => !this.score.count(kind, isRight)).map(([kind]) => kind);
  }

  #report({ group, after, ...row }, { status, exitCode, workingDir, terminalClosed, content }, wrong) {
    const came = { status, code: exitCode, dir: workingDir && path.relative(this.scratch, workingDir), closed: terminalClosed };
    const shown = { ...came, ...(wrong.includes('outputs') ? { out: content?.slice(0, 300) } : {}) };
    const where = group ?? `behind ${JSON.stringify(after)}`;
    console.error(`${this.name}: ${where}: ${wrong.join(', ')} of ${JSON.stringify(row)}\n    came: ${JSON.stringify(shown)}`);
  }
}

/** Takes the next session as long as there is one. */
async function worker(queue) {
  for (let next = queue.shift(); next; next = queue.shift()) await next.run();
}

await round(async (made) => {
  const server = await made.server({ shell: '/bin/bash', env: { LANG: 'C.UTF-8' } });
  const client = await made.client(server);
  const score = new Score();
  const folder = fs.realpathSync(server.home);
  const queue = PROFILES.map((profile) => new Session(client, score, profile, folder));
  await Promise.all(Array.from({ length: AT_ONCE }, () => worker(queue)));
  return score.results();
});
