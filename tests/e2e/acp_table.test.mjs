// The cases of acp_cases.json on the frames of agents' terminals, section by section of the protocol.
//
// A case is a list of steps on connections of its own, by default one at `/acp?role=delegate`; `on` names another one, and
// a case's `at` says where each of them goes. `jsonrpc` is left out of frames, but for those that say it themselves.
//
//   {"in": frame} {"raw": text}      is sent
//   {"out": pattern}                 comes: the frame of that id (or that method), whatever comes before it
//   {"order": [pattern ...]}         come in this order
//   {"run": params, "gives": pattern} a program runs and ends: what its output is then; it is released
//   {"ask": frame, "until": pattern} is asked again and again, with ids of its own, until that is the answer
//   {"touch": name} {"file": [name, text, mode]}   is put into the folder <<home>>
//   {"alive": number} {"gone": number}             of a process
//   {"closed": code}                 the server closes
//
// Bound from the beginning: <<home>>, a folder; <<s>>, the name of a session. Whatever comes that no step takes is a failure.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { fill, match } from './support/pattern.mjs';
import { alive, eventually, gone } from './support/process.mjs';
import { scenario } from './support/stage.mjs';

const sections = JSON.parse(fs.readFileSync(new URL('acp_cases.json', import.meta.url), 'utf8'));
const DELEGATE = '/acp?role=delegate';
/** Variables of a server that no program of an agent's is to see. */
const SECRETS = { SECRET_OF_THE_SERVER: 'hidden', LD_LIBRARY_PATH: '/nowhere' };

const complete = (frame) => (frame !== null && typeof frame === 'object' && !Array.isArray(frame) && !('jsonrpc' in frame) && !('body' in frame)
  ? { jsonrpc: '2.0', ...frame } : frame);

/** One connection of a case. */
class Speaker {
  #taken = new Set();

  constructor(socket, bound) {
    this.socket = socket;
    this.bound = bound;
  }

  send(frame) {
    this.socket.send(complete(fill(frame, this.bound)));
  }

  /** Frames that no step has taken. What people are told besides is no answer. */
  left() {
    return this.socket.frames.all.filter((frame) => !this.#taken.has(frame) && frame.type !== 'push');
  }

  #meant(pattern) {
    const wanted = fill(pattern, this.bound);
    if (wanted.method) return (frame) => frame.method === wanted.method;
    return (frame) => frame.method === undefined && 'id' in frame && frame.id === wanted.id;
  }

  async take(pattern) {
    const meant = this.#meant(pattern);
    const frame = await this.socket.frames.until(() => this.left().find(meant), `a frame like ${JSON.stringify(pattern).slice(0, 400)}`);
    this.#taken.add(frame);
    return frame;
  }

  async expect(pattern) {
    const frame = await this.take(pattern);
    const isOurs = frame.jsonrpc !== undefined;
    match(isOurs ? complete(pattern) : pattern, frame, this.bound);
    return frame;
  }
}

class Case {
  #speakers = new Map();
  #asked = 0;
  bound;

  constructor(stage, server, { at = {} }, number) {
    this.stage = stage;
    this.server = server;
    this.at = at;
    this.home = path.join(server.home, `case ${number}`);
    fs.mkdirSync(this.home);
    this.bound = new Map([['home', this.home], ['s', `session ${number}`]]);
  }

  async speaker(name = 'agent') {
    if (!this.#speakers.has(name)) {
      const socket = await this.stage.socket(this.server, { path: this.at[name] ?? DELEGATE });
      this.#speakers.set(name, new Speaker(socket, this.bound));
    }
    return this.#speakers.get(name);
  }

  async step(step) {
    const verb = Object.keys(step)[0];
    await this[`_${verb}`](await this.speaker(step.on), step);
  }

  _in(speaker, step) {
    speaker.send(step.in);
  }
  _raw(speaker, { raw }) {
    speaker.socket.send(fill(raw, this.bound));
  }
  _out(speaker, { out }) {
    return speaker.expect(out);
  }
  async _order(speaker, { order }) {
    const places = [];
    for (const pattern of order) places.push(speaker.socket.frames.all.indexOf(await speaker.expect(pattern)));
    assert.deepEqual(places, [...places].sort((a, b) => a - b), 'the order');
  }

  /** One request and its answer. */
  async ask(speaker, frame) {
    const id = `asked ${++this.#asked}`;
    speaker.send({ id, ...frame });
    return speaker.take({ id });
  }

  async _run(speaker, { run, gives }) {
    const call = async (method, params) => {
      const answer = await this.ask(speaker, { method, params: { sessionId: '<<s>>', ...params } });
      assert.ok(answer.result, `${method}: ${JSON.stringify(answer.error)}`);
      return answer.result;
    };
    const { terminalId } = await call('terminal/create', run);
    const exit = await call('terminal/wait_for_exit', { terminalId });
    const output = await call('terminal/output', { terminalId });
    assert.deepEqual(output.exitStatus, exit);
    const exitStatus = gives.exitStatus ?? { exitCode: 0, signal: null };
    match({ truncated: false, ...gives, exitStatus, ...exitStatus }, output, this.bound);
    assert.deepEqual(await call('terminal/release', { terminalId }), {});
  }

  async _ask(speaker, { ask, until }) {
    let last;
    const holds = async () => {
      const { id, ...answer } = await this.ask(speaker, ask);
      try {
        return match(complete(until), answer, this.bound) ?? true;
      } catch (error) {
        return void (last = error);
      }
    };
    await eventually(holds, () => `an answer: ${last?.message}`);
  }

  _touch(speaker, { touch }) {
    fs.writeFileSync(path.join(this.home, touch), '');
  }
  _file(speaker, { file: [name, text, mode] }) {
    fs.writeFileSync(path.join(this.home, name), text);
    fs.chmodSync(path.join(this.home, name), parseInt(mode, 8));
  }
  _alive(speaker, step) {
    assert.ok(alive(Number(fill(step.alive, this.bound))), `process ${step.alive} is gone`);
  }
  _gone(speaker, step) {
    return gone(Number(fill(step.gone, this.bound)));
  }
  async _closed(speaker, { closed }) {
    assert.equal((await speaker.socket.ended()).code, closed);
  }

  /** The last answer belongs to the last question, where nothing else comes. */
  async nothingIsLeft() {
    for (const speaker of this.#speakers.values()) {
      const open = speaker.socket.ws.readyState === speaker.socket.ws.OPEN;
      if (open && !speaker.socket.frames.all.some(({ type }) => type === 'push')) await this.ask(speaker, { method: 'no such method' });
      assert.deepEqual(speaker.left(), [], 'frames that nobody expected');
    }
  }
}

async function play(stage, server, each, number) {
  const played = new Case(stage, server, each, number);
  let at = 0;
  try {
    for (const step of each.steps) {
      at += 1;
      await played.step(step);
    }
    await played.nothingIsLeft();
  } catch (error) {
    error.message = `${each.name}, step ${at}: ${error.message}`;
    throw error;
  }
}

for (const [section, cases] of Object.entries(sections)) {
  scenario(`acp, section ${section}: ${cases.length} cases`, async (stage) => {
    const server = await stage.server({ env: SECRETS });
    const results = await Promise.allSettled(cases.map((each, number) => play(stage, server, each, number)));
    const failures = results.filter(({ status }) => status === 'rejected').map(({ reason }) => reason.message);
    assert.deepEqual(failures, []);
  });
}
