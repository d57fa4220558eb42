/**
 * A bare pipe: HTTP in, HTTP out, nothing is looked at. What a proxy in Node cannot be faster than. It keeps connections to
 * the engine, as gateways do. Ends when its parent does.
 */
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

const { hostname, port } = new URL(process.env['ENGINE_URL']!);
const agent = new Agent({ keepAlive: true, maxSockets: 1_024, maxFreeSockets: 1_024 });
const server = createServer(
  { keepAliveTimeout: 0, noDelay: true, requestTimeout: 0 },
  (incoming, response) => {
    const { method, headers, url = '/' } = incoming;
    const outgoing = request({ hostname, port, agent, method, headers, path: url }, (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    incoming.pipe(outgoing);
  },
);
server.listen(0, '127.0.0.1', () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
process.once('disconnect', () => process.exit(0));
