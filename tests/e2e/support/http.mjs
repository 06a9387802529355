// HTTP byte by byte, for requests no ordinary client would send.
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { within } from './deadline.mjs';

/** A request with exactly these headers; its Host is only there when given. */
export async function request(server, { method = 'GET', path = '/', headers = {}, body = '' } = {}) {
  const sent = http.request({ host: '127.0.0.1', port: server.port, method, path, headers, setHost: false, agent: false });
  sent.end(body);
  const [response] = await within(Promise.race([once(sent, 'response'), once(sent, 'upgrade')]), `an answer to ${method} ${path}`);
  let text = '';
  response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
  if (response.statusCode !== 101) await within(once(response, 'end'), 'the end of the answer');
  response.destroy();
  return { status: response.statusCode, headers: response.headers, text };
}

/** Headers that ask for an upgrade by hand. */
export const UPGRADE = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
};

/** A bare TCP connection whose received bytes are kept. */
export class RawConnection {
  received = Buffer.alloc(0);

  static async open(server) {
    const raw = new RawConnection();
    raw.socket = net.connect(server.port, '127.0.0.1');
    raw.ended = new Promise((resolve) => raw.socket.once('close', resolve));
    raw.socket.on('error', () => {});
    raw.socket.on('data', (chunk) => {
      raw.received = Buffer.concat([raw.received, chunk]);
      raw.onData?.();
    });
    await within(once(raw.socket, 'connect'), 'a TCP connection');
    return raw;
  }

  /** An upgraded connection, to send WebSocket frames made by hand. */
  static async webSocket(server) {
    const raw = await RawConnection.open(server);
    const headers = { Host: `127.0.0.1:${server.port}`, ...UPGRADE, ...server.bearer };
    raw.write(`GET /ws HTTP/1.1\r\n${Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`);
    await raw.until(() => raw.received.includes('\r\n\r\n'), 'the upgrade');
    if (!raw.received.toString('latin1').startsWith('HTTP/1.1 101')) throw new Error(raw.received.toString('latin1'));
    raw.received = raw.received.subarray(raw.received.indexOf('\r\n\r\n') + 4);
    return raw;
  }

  write(bytes) {
    this.socket.write(bytes);
  }

  /** Waits until what was written has been taken, or nobody will take it. */
  async drained() {
    if (this.socket.destroyed || !this.socket.writableNeedDrain) return;
    const drained = new Promise((resolve) => this.socket.once('drain', resolve));
    await within(Promise.race([drained, this.ended]), 'the bytes to be taken');
  }

  until(check, what) {
    return within(new Promise((resolve) => {
      this.onData = () => check() && resolve();
      this.onData();
    }), what);
  }

  /** Waits until the other side ends it. */
  async end() {
    await within(this.ended, 'the server to end the connection');
  }

  /** The WebSocket frames received so far: {fin, opcode, payload}. Servers do not mask. */
  frames() {
    const frames = [];
    for (let at = 0; at + 2 <= this.received.length; ) {
      const bytes = this.received.subarray(at);
      const [size, head] = frameSize(bytes);
      if (bytes.length < head + size) break;
      frames.push({ fin: Boolean(bytes[0] & 0x80), opcode: bytes[0] & 15, payload: bytes.subarray(head, head + size) });
      at += head + size;
    }
    return frames;
  }

  /** The code of the close frame, once there is one. */
  async closeCode() {
    const close = () => this.frames().find((frame) => frame.opcode === 8);
    await this.until(() => close(), 'a close frame');
    return close().payload.readUInt16BE(0);
  }
}

function frameSize(bytes) {
  const short = bytes[1] & 127;
  if (short < 126) return [short, 2];
  if (short === 126) return bytes.length < 4 ? [Infinity, 4] : [bytes.readUInt16BE(2), 4];
  return bytes.length < 10 ? [Infinity, 10] : [Number(bytes.readBigUInt64BE(2)), 10];
}

/** A client's frame. options: fin, mask, rsv, announce (a length that is not the payload's). */
export function frame(opcode, payload = Buffer.alloc(0), { fin = true, mask = true, rsv = 0, announce } = {}) {
  const body = Buffer.from(payload);
  const size = BigInt(announce ?? body.length);
  const first = (fin ? 0x80 : 0) | (rsv << 4) | opcode;
  const masked = mask ? 0x80 : 0;
  let head;
  if (size < 126n) head = Buffer.from([first, masked | Number(size)]);
  else if (size < 65536n) head = Buffer.from([first, masked | 126, Number(size) >> 8, Number(size) & 255]);
  else {
    head = Buffer.alloc(10);
    head[0] = first;
    head[1] = masked | 127;
    head.writeBigUInt64BE(size, 2);
  }
  if (!mask) return Buffer.concat([head, body]);
  const key = Buffer.from([0x12, 0x34, 0x56, 0x78]);
  return Buffer.concat([head, key, body.map((byte, n) => byte ^ key[n & 3])]);
}
