import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as the gateway would see it. */
export interface SeenRequest {
  method: string;
  url: string;
  authorization: string | undefined;
  body: string;
}

/** A server on loopback that keeps what it is asked and answers as it is told. */
export interface GatewayServer extends AsyncDisposable {
  url: string;
  seen: SeenRequest[];
}

export async function startGatewayServer(
  answer: (request: SeenRequest, reply: ServerResponse, count: number) => void,
): Promise<GatewayServer> {
  const seen: SeenRequest[] = [];
  const server = createServer((request: IncomingMessage, reply) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const body = Buffer.concat(chunks).toString();
      const one = { method, url, authorization: headers.authorization, body };
      seen.push(one);
      answer(one, reply, seen.length);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
