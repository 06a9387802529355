import { WebSocket } from "ws";
import { connect, type PtydClient, type WebSocketLike } from "../client/src/index.ts";
import { kPatience, type Served, type Stage } from "./stage.ts";

/// A machine that stands still for a while is no reason to give anything up.
const timings = { request: kPatience, connect: kPatience, silence: kPatience, check: kPatience, input: kPatience };

/// A client as a program has it: the token in a header.
export function clientOf(stage: Stage, served: Served): PtydClient {
  const headers = { Authorization: `Bearer ${served.server.token}` };
  const webSocket = (url: string) => new WebSocket(url, { headers }) as unknown as WebSocketLike;
  const client = connect(served.url, { webSocket, timings });
  stage.atEnd(() => client.dispose());
  return client;
}
