// Records full-screen programs, as tests/screens drives them, for scan_bench: FOLDER/NAME.bin each.
//
//   PTYD_PROBE=build/bench/tests/ node record.mjs FOLDER vim,htop,less
import fs from 'node:fs';
import path from 'node:path';
import { kSessions } from '../screens/support/sessions.mjs';

const [folder, names] = process.argv.slice(2);
fs.mkdirSync(folder, { recursive: true });
for (const name of names.split(',')) {
  const endings = [];
  const context = { after: (end) => endings.push(end) };
  const program = await kSessions[name](context);
  fs.writeFileSync(path.join(folder, `${name}.bin`), program.output);
  for (const end of endings.reverse()) await end();
}
