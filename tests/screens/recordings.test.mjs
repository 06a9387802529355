// Real programs, recorded now, and shown by four: the native emulator, libvterm, xterm.js, and xterm.js with nothing but
// the snapshot. All must show the same, at many places of the recording. At its end so does a screen that is drawn late.
//
//   PTYD_TEST_SEED=N node --test recordings.test.mjs      at the same places of a recording as the run that printed it
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import test from "node:test";
import { fileURLToPath } from "node:url";
import "../e2e/support/leave.mjs";
import { random, seed } from "../e2e/support/random.mjs";
import { probe } from "./support/probe.mjs";
import { kFloods, kSessions } from "./support/sessions.mjs";
import { Oracle } from "./support/xterm.mjs";

/// Places at which a recording is compared, its end among them.
const kPlaces = 24;
/// Rows of a full scrollback that are compared: xterm.js counts its rows, and ours the lines in them.
const kNewest = 4000;
const kLog = new URL("../../build/log/", import.meta.url);

/// Places anywhere in the recording, and its end.
function places(length) {
  const below = random();
  const anywhere = Array.from({ length: kPlaces - 1 }, () => 1 + below(length));
  return [...anywhere, length].sort((a, b) => a - b);
}

function shown({ caret, buffer, screen, scrollback }) {
  return { caret, buffer, screen, scrollback };
}

/// Tells where in the recording it went wrong, besides what is wrong.
function same(found, wanted, who, { decided }, output) {
  const before = JSON.stringify(output.subarray(Math.max(0, decided - 200), decided).toString());
  try {
    assert.deepEqual(found, wanted);
  } catch (error) {
    throw Object.assign(new Error(`${who} differ after ${decided} bytes, the last of which are ${before}\n${error.message}`), { decided });
  }
}

/// Keeps what cannot be recorded again, and says where: `screen_probe native 24x80 PLACE <FILE` shows it.
function keep(name, { output, rows, cols }, { decided }) {
  mkdirSync(kLog, { recursive: true });
  const file = fileURLToPath(new URL(`recording-${name.replace(/\W+/g, "_")}.bin`, kLog));
  writeFileSync(file, output);
  writeFileSync(file.replace(/bin$/, "json"), `${JSON.stringify({ rows, cols, place: decided, bytes: output.length, seed })}\n`);
  return `the recording is kept in ${file}: ${rows}x${cols}, place ${decided} of ${output.length}`;
}

/// Nothing of a flood is drawn before its end is looked at.
async function compareLate(output, size, there) {
  const [late] = await probe("late", size, output, [output.length]);
  same({ ...shown(late), vt: late.vt }, { ...shown(there), vt: there.vt }, "drawn late and drawn at once", there, output);
}

async function compare(output, size) {
  const positions = places(output.length);
  const [native, vterm] = await Promise.all(["native", "vterm"].map((each) => probe(each, size, output, positions)));
  const everything = new Oracle(size.rows, size.cols).asATerminal();
  let fed = 0;
  for (const [index, there] of native.entries()) {
    await everything.write(output.subarray(fed, there.decided), there.decided < positions[index]);
    fed = there.decided;
    same(shown(there), everything.shown(), "native and xterm.js", there, output);
    same(shown(vterm[index]), shown(there), "libvterm and native", there, output);
    const snapshot = new Oracle(size.rows, size.cols);
    await snapshot.write(Buffer.from(there.vt));
    same(snapshot.shown(), everything.shown(), "the snapshot and all bytes, in xterm.js,", there, output);
    same(snapshot.state(), everything.state(), "the state after the snapshot and after all bytes, in xterm.js,", there, output);
  }
  await compareLate(output, size, native.at(-1));
}

for (const [name, record] of Object.entries(kSessions)) {
  test(`${name} looks the same everywhere`, async (context) => {
    context.diagnostic(`PTYD_TEST_SEED=${seed}`);
    const program = await record(context);
    assert.ok(program.output.length > 100, "hardly anything was recorded");
    await compare(program.output, program).catch((error) => {
      error.message += `\n${keep(name, program, error)}; PTYD_TEST_SEED=${seed}`;
      throw error;
    });
  });
}

for (const [name, record] of Object.entries(kFloods)) {
  test(`${name} looks the same, drawn late or at once`, async (context) => {
    const { output, rows, cols } = await record(context);
    const [there] = await probe("native", { rows, cols }, output, [output.length]);
    const everything = new Oracle(rows, cols).asATerminal();
    await everything.write(output);
    const newest = ({ scrollback, ...rest }) => ({ ...rest, scrollback: scrollback.slice(-kNewest) });
    same(newest(shown(there)), newest(everything.shown()), "native and xterm.js", there, output);
    await compareLate(output, { rows, cols }, there);
  });
}
