// A record of what was said lately, by each client and by all, for the report of a sweep that failed.

const LINES_OF_ONE = 60;
const LINES_OF_ALL = 120;
/** Connections of which the transcript is kept. */
const MOST_VISITS = 1000;

const shorten = (text, most = 300) => (text.length > most ? `${text.slice(0, most)}… (${text.length})` : text);

function keep(lines, line, most) {
  lines.push(line);
  if (lines.length > 2 * most) lines.splice(0, lines.length - most);
}

/** The end of what one client and the server said to each other. */
class Transcript {
  #lines = [];

  constructor(name, record) {
    this.name = name;
    this.record = record;
  }

  note(direction, text) {
    const line = `${this.record.time()} ${direction} ${shorten(text)}`;
    keep(this.#lines, line, LINES_OF_ONE);
    this.record.keep(`${this.name}: ${line}`);
  }

  report() {
    return `--- ${this.name}\n${this.#lines.slice(-LINES_OF_ONE).join('\n')}`;
  }
}

export class Record {
  #begun = performance.now();
  #all = [];
  #visits = new Map();
  /** Failures: {what, transcript?}. */
  failures = [];
  /** Connections that ended without a reason of their client's: failures only of a server that lives. */
  #losses = [];
  counts = { connections: 0, resets: 0, requests: 0, answers: 0, bytes: 0, parked: 0 };

  time() {
    return ((performance.now() - this.#begun) / 1000).toFixed(3);
  }

  keep(line) {
    keep(this.#all, line, LINES_OF_ALL);
  }

  /** For one connection of the client `name`, or `earlier` goes on; by the port it comes from it is found again. */
  transcript(name, socket, earlier = null) {
    const transcript = earlier ?? new Transcript(name, this);
    this.counts.connections += 1;
    socket.once('connect', () => {
      this.#visits.delete(socket.localPort);
      this.#visits.set(socket.localPort, transcript);
      if (this.#visits.size > MOST_VISITS) this.#visits.delete(this.#visits.keys().next().value);
    });
    return transcript;
  }

  visitFrom(port) {
    return this.#visits.get(port) ?? null;
  }

  fail(what, transcript = null) {
    this.failures.push({ what: `${what}${transcript ? ` [${transcript.name}, at ${this.time()} s]` : ''}`, transcript });
  }

  lost(what, transcript) {
    this.#losses.push([what, transcript]);
  }

  failForLosses() {
    for (const [what, transcript] of this.#losses.splice(0)) this.fail(what, transcript);
  }

  /** Everything somebody who was not there needs; of clients only those that something failed for. */
  report() {
    const failed = [...new Set(this.failures.map(({ transcript }) => transcript).filter(Boolean))].slice(0, 3);
    return [
      ...this.failures.slice(0, 20).map(({ what }) => `* ${shorten(what, 1000)}`),
      ...(this.failures.length > 20 ? [`* and ${this.failures.length - 20} more`] : []),
      ...(failed.length > 0 ? failed.map((transcript) => transcript.report()) : [`--- everybody\n${this.#all.slice(-LINES_OF_ALL).join('\n')}`]),
    ].join('\n');
  }
}
