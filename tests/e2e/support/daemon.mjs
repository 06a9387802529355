// A daemon: what leaves the session, and the parents, that tied it to its terminal.
import fs from 'node:fs';
import path from 'node:path';
import { eventually, processes } from './process.mjs';

/** As servers do it: a double fork, nothing open, nothing in its environment; deaf to all that it can be deaf to. */
const PROGRAM = `import os, signal, sys
for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
    signal.signal(number, signal.SIG_IGN)
if os.fork():
    os._exit(0)
os.setsid()
if os.fork():
    os._exit(0)
for fd in range(3):
    os.dup2(os.open(os.devnull, os.O_RDWR), fd)
with open(sys.argv[1] + ".new", "w") as file:
    file.write(str(os.getpid()))
os.rename(sys.argv[1] + ".new", sys.argv[1])
os.execve("/bin/sleep", ["sleep", "100000"], {})
`;

/**
 * `line` starts one, from the server's home or elsewhere. `pid()` gives its number once nothing is left between it and the
 * server: the server is its parent then.
 */
export function daemonOf(server, name = 'daemon') {
  const script = path.join(server.home, `${name}.py`), file = path.join(server.home, `${name}.pid`);
  fs.writeFileSync(script, PROGRAM);
  const pid = async () => {
    await eventually(() => fs.existsSync(file), `${name} to run`);
    const number = Number(fs.readFileSync(file, 'utf8'));
    await eventually(() => processes().get(number)?.ppid === server.pid, `${name} to be adopted`);
    return number;
  };
  return { line: `python3 '${script}' '${file}'`, pid };
}
