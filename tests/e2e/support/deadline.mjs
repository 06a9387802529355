// Generous deadlines for everything that is waited for: a loaded machine is slow, not wrong. PTYD_TEST_SCALE stretches them
// for slow builds (sanitizers).
const scale = Number(process.env.PTYD_TEST_SCALE ?? 1);

export const DEADLINE_MS = 120_000 * scale;
/** For what is long by itself: megabytes that are printed or typed. */
export const LONG_MS = 3 * DEADLINE_MS;
export const SCENARIO_MS = 600_000 * scale;

/** `promise`, or an error that names `what` when the deadline passes first. */
export function within(promise, what, deadline = DEADLINE_MS) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`waited ${deadline} ms for ${what}`)), deadline);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Values that arrive over time, and those who wait for one of them. Nothing is missed between two waits. */
export class Arrivals {
  #values = [];
  #waiters = new Set();
  #ended = null;

  get all() {
    return this.#values;
  }

  add(value) {
    this.#values.push(value);
    this.#wake();
  }

  /** No more will come: whoever waits is told why. */
  end(error) {
    this.#ended ??= error;
    this.#wake();
  }

  /** The first value from index `from` on for which `wanted` holds. Each is looked at once. */
  first(wanted, what, { from = 0, deadline = DEADLINE_MS } = {}) {
    let at = from;
    const look = (values) => {
      while (at < values.length) if (wanted(values[at++])) return values[at - 1];
      return undefined;
    };
    return this.until(look, what, deadline);
  }

  /** The result of `check(values)`, as soon as that is neither undefined nor false. */
  until(check, what, deadline = DEADLINE_MS) {
    let waiter;
    const found = new Promise((resolve, reject) => {
      waiter = () => {
        try {
          const result = check(this.#values);
          if (result !== undefined && result !== false) return resolve(result), true;
          if (this.#ended) return reject(new Error(`${what}: ${this.#ended.message}`)), true;
        } catch (error) {
          return reject(error), true;
        }
        return false;
      };
      if (!waiter()) this.#waiters.add(waiter);
    });
    return within(found, what, deadline).finally(() => this.#waiters.delete(waiter));
  }

  #wake() {
    for (const waiter of [...this.#waiters]) if (waiter()) this.#waiters.delete(waiter);
  }
}
