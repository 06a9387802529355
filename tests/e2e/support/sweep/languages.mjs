// The two languages of the protocol as a client speaks them: what is said, and which answer each word is owed.

/** The answers a client is owed, by name. Each comes once. */
export class Debts {
  #owed = new Map();
  paid = 0;

  constructor(complain) {
    this.complain = complain;
  }

  owe(name, what) {
    const debt = this.#owed.get(name) ?? { count: 0, what };
    debt.count += 1;
    this.#owed.set(name, debt);
  }

  pay(name) {
    const debt = this.#owed.get(name);
    if (!debt) return this.complain(`an answer that nobody waits for: ${name}`);
    this.paid += 1;
    debt.count -= 1;
    if (debt.count === 0) this.#owed.delete(name);
  }

  get size() {
    return this.#owed.size;
  }

  report() {
    return [...this.#owed].slice(0, 8).map(([name, { what, count }]) => `${name} (${what}${count > 1 ? `, ${count} times` : ''})`).join(', ');
  }
}

/** Text in, and what it means for the debts out. Ids count on over a client's connections: no two are alike. */
export class Envelope {
  #next = 0;

  constructor(debts) {
    this.debts = debts;
  }

  /** The frame of one request. */
  request({ tag, params }) {
    const id = `e${++this.#next}`;
    this.debts.owe(JSON.stringify(id), tag);
    return JSON.stringify({ id, body: { _tag: tag, ...params } });
  }

  /** A frame that is no request and is answered all the same. */
  broken(random, nonsense) {
    const id = `e${++this.#next}`;
    const text = random.pick([
      nonsense, `{"id":"${id}","body":{"_tag":"terminal.list"`, `{"id":"${id}"}`, `{"id":"${id}","body":"x"}`, `{"id":"${id}","body":{}}`,
      `{"id":"${id}","body":{"_tag":"terminal.write","threadId":"t","data":"\\ud800"}}`, `{"_tag":"Bogus","id":"${id}"}`,
    ]);
    this.debts.owe(text === nonsense ? '"unknown"' : JSON.stringify(id), shown(text));
    return text;
  }

  /** `frame` is no push. */
  hear(frame) {
    this.debts.pay(JSON.stringify(frame.id));
  }
}

const shown = (text) => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

export class Effect {
  #next = 0;
  /** Open streams: id -> Chunks that were not confirmed. */
  streams = new Map();

  constructor(debts) {
    this.debts = debts;
  }

  #id(what) {
    const number = ++this.#next;
    const id = number % 7 ? `f${number}` : number;
    this.debts.owe(JSON.stringify(id), what);
    return id;
  }

  frame({ tag, params }) {
    return { _tag: 'Request', id: this.#id(tag), tag, payload: params, headers: [] };
  }

  request(asked) {
    return JSON.stringify(this.frame(asked));
  }

  /** An array of requests. An empty one names no language, so it is answered as an envelope. */
  requests(list) {
    if (list.length === 0) this.debts.owe('"unknown"', '[]');
    return JSON.stringify(list.map((asked) => this.frame(asked)));
  }

  /** An id that is in flight already does not count: one answer. */
  twice(asked) {
    const frame = this.frame(asked);
    return JSON.stringify([frame, frame]);
  }

  subscribe(params) {
    const id = `s${++this.#next}`;
    this.streams.set(JSON.stringify(id), 0);
    return JSON.stringify({ _tag: 'Request', id, tag: 'terminal.subscribeEvents', payload: params, headers: [] });
  }

  /** Ends a stream: its Exit is owed from now on, for one beyond the limit has had it already. */
  interrupt(name) {
    this.streams.delete(name);
    this.debts.owe(name, 'Interrupt');
    return `{"_tag":"Interrupt","requestId":${name}}`;
  }

  /** Words for nobody: without an answer. */
  idle(random) {
    return random.pick(['{"_tag":"Eof"}', '{"_tag":"Ack","requestId":"nobody"}', '{"_tag":"Interrupt","requestId":"nobody"}', '{"_tag":"Ack"}']);
  }

  ping() {
    this.debts.owe('Pong', 'Ping');
    return '{"_tag":"Ping"}';
  }

  broken(random) {
    if (random.chance(0.3)) {
      this.debts.owe('Defect', 'a frame without id');
      return random.pick(['{"_tag":"Request","tag":"terminal.list","payload":{}}', '{"_tag":"Request","tag":', '[{"_tag":"Request","payload":{},"id":{}}]']);
    }
    const id = JSON.stringify(this.#id('a broken frame'));
    return random.pick([
      `{"_tag":"Request","id":${id},"tag":"terminal.list","payload":{}`, `{"_tag":"Request","id":${id},"tag":"terminal.list","payload":null}`,
      `{"_tag":"Request","id":${id},"payload":{}}`, `[{"_tag":"Eof"},{"_tag":"Bogus","id":${id}}]`,
    ]);
  }

  /** A Chunk for the stream `name`; true when there is such a stream. */
  chunk(name) {
    if (!this.streams.has(name)) return false;
    this.streams.set(name, this.streams.get(name) + 1);
    return true;
  }

  /** Confirms the Chunks of one stream that are not confirmed yet. */
  acks(name) {
    const count = this.streams.get(name);
    this.streams.set(name, 0);
    return Array(count).fill(`{"_tag":"Ack","requestId":${name}}`);
  }

  hear(frame) {
    if (frame._tag !== 'Exit') return this.debts.pay(frame._tag);
    const name = JSON.stringify(frame.requestId);
    if (this.streams.delete(name)) return undefined; // one stream too many, refused
    return this.debts.pay(name);
  }
}
