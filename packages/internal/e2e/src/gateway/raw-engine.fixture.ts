import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** An engine that answers with given bytes, and keeps those that it gets. */
export interface RawEngine {
  url: string;
  /** Bodies of the calls, as received. */
  bodies: Buffer[];
}

/** Starts one that ends with the test; its answers are cut after every `pieceBytes`. */
export async function startRawEngine(
  answer: string | Buffer,
  { contentType = 'application/json', pieceBytes = 7 } = {},
): Promise<RawEngine> {
  const bodies: Buffer[] = [];
  const bytes = Buffer.from(answer);
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    if (request.method === 'GET') {
      response.writeHead(request.url === '/health' ? 200 : 404).end();
      return;
    }
    bodies.push(body);
    response.writeHead(200, { 'content-type': contentType });
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      response.write(bytes.subarray(at, at + pieceBytes));
      await new Promise((resolve) => setImmediate(resolve));
    }
    response.end();
  };
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies };
}
