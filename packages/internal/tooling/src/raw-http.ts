import { connect, type Socket } from 'node:net';

export interface RawReply {
  status: number;
  /** By lower-case name. */
  headers: Record<string, string>;
  body: string;
  /** True if `100 Continue` came first. */
  continued: boolean;
}

/** A connection on which a test says exactly what it wants to say. */
export interface RawConnection {
  socket: Socket;
  /** All that has come so far. */
  received: () => string;
  ended: Promise<void>;
}

export async function rawConnect(port: number): Promise<RawConnection> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => void (text += chunk));
  socket.on('error', () => undefined);
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  return { socket, received: () => text, ended };
}

/** One request on its own connection, with `connection: close`. */
export async function rawRequest(
  port: number,
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body: string | Buffer = '',
): Promise<RawReply> {
  const { socket, received, ended } = await rawConnect(port);
  const all = {
    host: `127.0.0.1:${port}`,
    connection: 'close',
    ...(body.length > 0 && !('transfer-encoding' in headers)
      ? { 'content-length': String(body.length) }
      : {}),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  socket.write(body);
  await ended;
  return parseReply(received());
}

export function parseReply(text: string): RawReply {
  const continued = text.startsWith('HTTP/1.1 100');
  const rest = continued ? text.slice(text.indexOf('\r\n\r\n') + 4) : text;
  const end = rest.indexOf('\r\n\r\n');
  const [statusLine = '', ...headerLines] = rest.slice(0, end).split('\r\n');
  const headers = headerLines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: Object.fromEntries(headers),
    body: rest.slice(end + 4),
    continued,
  };
}
