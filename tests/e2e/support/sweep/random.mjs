// Decisions from a seed: the same seed and name decide the same.

/** 32 bits from any text (FNV-1a, then mixed so that neighbours differ everywhere). */
function hash(text) {
  let value = 0x811c9dc5;
  for (const character of text) value = Math.imul(value ^ character.codePointAt(0), 0x01000193);
  return Math.imul(value ^ (value >>> 15), 0x85ebca6b) >>> 0;
}

export class Random {
  #state;

  /** Each client has a name of its own, so what one decides does not hang on what the others did. */
  constructor(seed, name) {
    this.#state = hash(`${seed}/${name}`);
  }

  /** A number in [0, 1): Mulberry32. */
  fraction() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let value = this.#state;
    value = Math.imul(value ^ (value >>> 15), value | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from `least` to `most`, both included. */
  between(least, most) {
    return least + Math.floor(this.fraction() * (most - least + 1));
  }

  chance(probability) {
    return this.fraction() < probability;
  }

  pick(list) {
    return list[this.between(0, list.length - 1)];
  }

  /** One of [weight, value] rows. */
  weighted(rows) {
    let left = this.fraction() * rows.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, value] of rows) if ((left -= weight) < 0) return value;
    return rows.at(-1)[1];
  }

  /** So many of what `make(n)` gives. */
  many(count, make) {
    return Array.from({ length: count }, (_, n) => make(n));
  }
}
