// The Model Context Protocol by hand, one POST at a time, and by the SDK's clients of both generations.
import { Client as Client2, StreamableHTTPClientTransport as Http2 } from '@modelcontextprotocol/client';
import { Client as Client1 } from 'mcp-sdk-1/client/index.js';
import { StreamableHTTPClientTransport as Http1 } from 'mcp-sdk-1/client/streamableHttp.js';
import { DEADLINE_MS } from './deadline.mjs';
import { request } from './http.mjs';

const KINDS = {
  'sdk 1': { Client: Client1, Http: Http1, options: {} },
  'client 2': { Client: Client2, Http: Http2, options: {} },
  // Asks for the newest revision first, and falls back to the handshake.
  'client 2, auto': { Client: Client2, Http: Http2, options: { versionNegotiation: { mode: 'auto' } } },
};
export const CLIENTS = Object.keys(KINDS);

/** A connected client of the SDK; `close` ends it, `tool` calls a tool. */
export async function mcpClient(server, name) {
  const { Client, Http, options } = KINDS[name];
  const client = new Client({ name: 'ptyd-e2e', version: '1' }, { capabilities: {}, ...options });
  const transport = new Http(new URL(`${server.origin}/mcp`), { requestInit: { headers: server.bearer } });
  await client.connect(transport);
  const limit = { timeout: DEADLINE_MS };
  const call = Client === Client1 ? (params) => client.callTool(params, undefined, limit) : (params) => client.callTool(params, limit);
  return Object.assign(client, { tool: (tool, args = {}) => call({ name: tool, arguments: args }) });
}

const JSON_TYPES = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };

/** All headers of a POST; `headers` are in place of the usual ones, null takes one away. */
export function headersOf(server, headers = {}) {
  const all = { Host: `127.0.0.1:${server.port}`, ...server.bearer, ...JSON_TYPES, ...headers };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
}

/** One request to /mcp: `body` is a message, or text as it is. */
export function post(server, body, { headers = {}, method = 'POST' } = {}) {
  const text = body === undefined || typeof body === 'string' ? (body ?? '') : JSON.stringify(body);
  return request(server, { method, path: '/mcp', headers: { ...headersOf(server, headers), 'Content-Length': Buffer.byteLength(text) }, body: text });
}

/** A session by hand: the headers of its requests. */
export async function session(server, version = '2025-11-25') {
  const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: 'hand', version: '1' } };
  const answer = await post(server, { jsonrpc: '2.0', id: 0, method: 'initialize', params });
  return { 'Mcp-Session-Id': answer.headers['mcp-session-id'], 'MCP-Protocol-Version': version };
}

export const callOf = (name, args, id = 1) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } });
