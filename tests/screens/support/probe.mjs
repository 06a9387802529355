// Contents of the server's Screen, by way of screen_probe.
import { spawn } from "node:child_process";
import { LONG_MS } from "../../e2e/support/deadline.mjs";
import { kTools } from "./program.mjs";

function run(argv, input) {
  return new Promise((resolve, reject) => {
    const child = spawn(argv[0], argv.slice(1), { stdio: ["pipe", "pipe", "inherit"], timeout: LONG_MS });
    const chunks = [];
    child.stdout.on("data", (chunk) => chunks.push(chunk));
    child.on("error", reject);
    child.on("close", (code, signal) => (code === 0 ? resolve(Buffer.concat(chunks)) : reject(new Error(`${argv.join(" ")}: ${code ?? signal}`))));
    child.stdin.on("error", reject);
    child.stdin.end(input);
  });
}

/// One value for each position: `decided`, `caret`, `buffer`, `screen`, `sizes`, `scrollback`, `vt`. `emulator` may say
/// how large the pieces are that it is fed: `native:1`.
export async function probe(emulator, { rows, cols }, output, positions) {
  const told = await run([`${kTools}screen_probe`, emulator, `${rows}x${cols}`, ...positions.map(String)], output);
  return told.toString().trimEnd().split("\n").map((line) => JSON.parse(line));
}
