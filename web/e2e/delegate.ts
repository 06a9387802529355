import { Socket } from "../../tests/e2e/support/socket.mjs";
import type { Served, Stage } from "./stage.ts";

type Json = Record<string, unknown>;

export const kSession = "7d3f9a52-1c44-4e0b-9a77-5f0e2b6c1d88";

/// An editor whose agent runs programs here: JSON-RPC over a WebSocket.
export class Delegate {
  private asked = 0;

  private constructor(private readonly socket: Socket) {}

  static async connect(stage: Stage, { server, url }: Served): Promise<Delegate> {
    const headers = { Authorization: `Bearer ${server.token}` };
    const socket = new Socket(`${url.replace("http", "ws")}acp?role=delegate`, { headers });
    stage.atEnd(() => socket.ws.terminate());
    return new Delegate(await socket.opened());
  }

  async ask(method: string, params: Json): Promise<Json> {
    const id = ++this.asked;
    this.socket.send({ jsonrpc: "2.0", id, method, params: { sessionId: kSession, ...params } });
    return this.socket.frames.until(
      () => this.socket.frames.all.find((frame: Json) => frame.id === id),
      `an answer to ${method}`,
    );
  }

  /// Tells of a tool call: a session/update.
  update(toolCallId: string, told: Json): void {
    const update = { sessionUpdate: "tool_call_update", toolCallId, ...told };
    this.socket.send({ jsonrpc: "2.0", method: "session/update", params: { sessionId: kSession, update } });
  }

  /// The name of the terminal that runs `script`.
  async sh(script: string, cwd: string, input = false): Promise<string> {
    const params = { command: "sh", args: ["-c", script], cwd, _meta: { ptyd: { input } } };
    const { result } = (await this.ask("terminal/create", params)) as { result: { terminalId: string } };
    return result.terminalId;
  }
}
