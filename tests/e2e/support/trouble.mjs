// Trouble for one server, while it runs: clocks that jump or go slowly, and folders whose files are slow, hang
// or cannot be read. See trouble.c.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCE = fileURLToPath(new URL('trouble.c', import.meta.url));
const NS_PER_MS = 1_000_000n;
/** struct trouble: three numbers, then the zones, each three numbers and a name. */
const [CALENDAR, LEAP, SLOWED, ZONES] = [0, 8, 16, 24];
const [DELAY, HANGS, BAD_FROM, FOLDER, FOLDER_SIZE] = [0, 8, 16, 24, 256];
const ZONE_SIZE = FOLDER + FOLDER_SIZE;
const MOST_ZONES = 2;

export class Trouble {
  #file;
  #leap = 0n;
  /** How often the steady clocks have leapt. */
  leaps = 0;

  /** Keeps its files in `folder`. `zones`: at most two other folders, by name. */
  constructor(folder, zones = {}) {
    this.names = Object.keys(zones);
    if (this.names.length > MOST_ZONES) throw new Error(`${this.names.length} zones are more than ${MOST_ZONES}`);
    const library = path.join(folder, 'trouble.so');
    execFileSync(process.env.CC ?? 'cc', ['-shared', '-fPIC', '-O1', '-Wall', '-Wextra', '-o', library, SOURCE, '-ldl'], { stdio: 'inherit' });
    const shared = path.join(folder, 'trouble');
    this.#file = fs.openSync(shared, 'w+');
    fs.ftruncateSync(this.#file, ZONES + MOST_ZONES * ZONE_SIZE);
    this.names.forEach((name, n) => this.#nameZone(n, zones[name]));
    this.env = {
      LD_PRELOAD: library, PTYD_TROUBLE: shared,
      ASAN_OPTIONS: [process.env.ASAN_OPTIONS, 'verify_asan_link_order=0'].filter(Boolean).join(':'),
    };
  }

  #nameZone(n, folder) {
    const name = Buffer.from(`${folder}\0`);
    if (name.length > FOLDER_SIZE) throw new Error(`${folder} is longer than ${FOLDER_SIZE} bytes`);
    fs.writeSync(this.#file, name, 0, name.length, ZONES + n * ZONE_SIZE + FOLDER);
  }

  #write(at, value) {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64LE(BigInt(value));
    fs.writeSync(this.#file, bytes, 0, bytes.length, at);
  }

  #ofZone(name) {
    return ZONES + this.names.indexOf(name) * ZONE_SIZE;
  }

  /** The time of day is wrong by so much. */
  shiftCalendar(ms) {
    this.#write(CALENDAR, BigInt(ms) * NS_PER_MS);
  }

  /** So much time passes at once, as for a machine that was stopped. */
  leap(ms) {
    this.leaps += 1;
    this.#leap += BigInt(ms) * NS_PER_MS;
    this.#write(LEAP, this.#leap);
  }

  /** From now on so little time passes by the steady clock, however long the machine takes, that nothing is given up. */
  slowClock(times) {
    this.#write(SLOWED, times);
  }

  /** The time that has not passed meanwhile passes at once. */
  usualClock() {
    this.#write(SLOWED, 0);
  }

  /** From now on each file of the zone takes so long. */
  slow(zone, ms) {
    this.#write(this.#ofZone(zone) + DELAY, ms);
  }

  /** From now on nothing that is done in the zone comes back. */
  hang(zone) {
    this.#write(this.#ofZone(zone) + HANGS, 1);
  }

  /** From now on no file of the zone can be read from this place on, as where the disk is bad. */
  spoil(zone, from) {
    this.#write(this.#ofZone(zone) + BAD_FROM, from);
  }

  /** Files are quick again, what hung goes on, and disks are good. The clocks stay. */
  calm() {
    for (const name of this.names) {
      this.slow(name, 0);
      this.#write(this.#ofZone(name) + HANGS, 0);
      this.#write(this.#ofZone(name) + BAD_FROM, 0);
    }
  }

  close() {
    fs.closeSync(this.#file);
  }
}

/** Runs `body(env)`, where a server with this environment has a clock that goes so many times slower. */
export async function slowly(times, body) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ptyd-slowly-'));
  const trouble = new Trouble(folder);
  trouble.slowClock(times);
  try {
    await body(trouble.env);
  } finally {
    trouble.close();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
