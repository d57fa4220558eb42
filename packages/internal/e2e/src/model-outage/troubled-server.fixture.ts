import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** Trouble of a server; a number is the status that it answers everything with, a list one after another. */
export type Trouble = 'refused' | 'dns' | 'reset' | 'silent' | 'cut' | number | number[];

/** Where something listens that is in trouble; gone when the test has finished. @returns an origin */
export async function troubledServer(trouble: Trouble, onRequest?: () => void): Promise<string> {
  if (trouble === 'dns') return 'http://no-such-host.invalid';
  // Nobody listens there, and nobody gets it who asks for a free port. Port 1 is refused by `fetch` itself.
  if (trouble === 'refused') return 'http://127.0.0.1:2';
  const statuses = Array.isArray(trouble) ? [...trouble] : [];
  const server = createServer((request, response) => {
    onRequest?.();
    request.resume();
    answer(Array.isArray(trouble) ? statuses.shift()! : trouble, request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function answer(
  trouble: Exclude<Trouble, 'refused' | 'dns' | number[]>,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  switch (trouble) {
    case 'silent':
      return;
    case 'reset':
      request.socket.resetAndDestroy();
      return;
    case 'cut':
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"id":"x","object":"chat.completion.chunk","choices":[]}\n\n', () =>
        request.socket.destroy(),
      );
      return;
    default:
      response.writeHead(trouble, { 'content-type': 'application/json' });
      response.end('{"error":{"message":"so it is","type":"x"}}');
  }
}
