// Real programs, recorded now, and shown by four: the native emulator, libvterm, xterm.js, and xterm.js with nothing but
// the snapshot. All must show the same, at many places of the recording.
import assert from "node:assert/strict";
import test from "node:test";
import { probe } from "./support/probe.mjs";
import { kSessions } from "./support/sessions.mjs";
import { Oracle } from "./support/xterm.mjs";

/// Places at which a recording is compared, its end among them.
const kPlaces = 24;

function places(length) {
  return Array.from({ length: kPlaces }, (_, index) => Math.ceil(((index + 1) * length) / kPlaces));
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
    throw new Error(`${who} differ after ${decided} bytes, the last of which are ${before}\n${error.message}`);
  }
}

async function compare(output, size) {
  const positions = places(output.length);
  const [native, vterm] = await Promise.all(["native", "vterm"].map((each) => probe(each, size, output, positions)));
  const everything = new Oracle(size.rows, size.cols);
  let fed = 0;
  for (const [index, there] of native.entries()) {
    await everything.write(output.subarray(fed, there.decided));
    fed = there.decided;
    same(shown(there), everything.shown(), "native and xterm.js", there, output);
    same(shown(vterm[index]), shown(there), "libvterm and native", there, output);
    const snapshot = new Oracle(size.rows, size.cols);
    await snapshot.write(Buffer.from(there.vt));
    same(snapshot.shown(), everything.shown(), "the snapshot and all bytes, in xterm.js,", there, output);
    same(snapshot.state(), everything.state(), "the state after the snapshot and after all bytes, in xterm.js,", there, output);
  }
}

for (const [name, record] of Object.entries(kSessions)) {
  test(`${name} looks the same everywhere`, async (context) => {
    const program = await record(context);
    assert.ok(program.output.length > 100, "hardly anything was recorded");
    await compare(program.output, program);
  });
}
