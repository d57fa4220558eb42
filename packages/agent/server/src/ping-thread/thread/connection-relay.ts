import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';

/**
 * Passes connections that leave HTTP (WebSockets) on to the main thread, byte for byte. Each has its own connection,
 * which no other request shares.
 */
export function connectionRelay({ mainPort }: { mainPort: Promise<number> }): {
  relay: (request: IncomingMessage, socket: Duplex, head: Buffer) => Promise<void>;
  close: () => void;
} {
  const open = new Set<Duplex>();

  const relay = async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    socket.on('error', () => socket.destroy());
    const port = await mainPort;
    if (socket.destroyed) return;
    const passed = connect({ host: '127.0.0.1', port, noDelay: true, allowHalfOpen: true });
    passed.on('error', () => socket.destroy());
    passed.once('close', () => socket.destroy());
    socket.once('close', () => passed.destroy());
    const { method, url, rawHeaders } = request;
    let text = `${method} ${url} HTTP/1.1\r\n`;
    for (let index = 0; index < rawHeaders.length; index += 2) {
      text += `${rawHeaders[index]}: ${rawHeaders[index + 1]}\r\n`;
    }
    passed.write(`${text}\r\n`, 'latin1');
    passed.write(head);
    socket.pipe(passed);
    passed.pipe(socket);
  };

  return {
    relay,
    close: () => {
      for (const socket of open) socket.destroy();
    },
  };
}
