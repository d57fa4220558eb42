/** The load model as its own process: prints its address as a line of JSON, ends when its standard input does. */
import type { AddressInfo } from 'node:net';
import { LoadEndpoint } from './load-endpoint.ts';

// Every rollout of a step may open its connection in the same instant.
const backlog = 8_192;

const { server } = new LoadEndpoint();
server.listen({ port: 0, host: '127.0.0.1', backlog }, () => {
  console.log(JSON.stringify({ endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }));
});
process.stdin.resume().once('end', () => process.exit(0));
