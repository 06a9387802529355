// Runs a command on the server and prints its output: node run.mjs http://127.0.0.1:7681/ TOKEN 'make test'
import { connect, replay } from "ptyd-client";
import WebSocket from "ws"; // browsers and Node 22 have one of their own: there the option `webSocket` is not needed

const [url, token, command] = process.argv.slice(2);
const client = connect(url, { token, webSocket: (address) => new WebSocket(address) });

const terminal = await client.open({ threadId: "example", cwd: "/", cols: 100, rows: 30 });
process.stdout.write(replay(terminal.snapshot)); // earlier output, where the terminal has run before
terminal.onOutput.on((text) => void process.stdout.write(text));
const exited = new Promise((resolve) => terminal.onExit.on(resolve));

await terminal.write(`${command}; exit\r`);
const { exitCode } = await exited;
await terminal.close({ deleteHistory: true });
client.dispose();
process.exitCode = exitCode ?? 1;
