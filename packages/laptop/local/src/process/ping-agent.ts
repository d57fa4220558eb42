import { request } from 'node:http';
import { jsonObjectIn } from '@art/ground';

/** Result of one ping. `stamp` is `time_of_last_update` exactly as it came, of whatever type. */
export type PingObservation =
  | { kind: 'answered'; busy: boolean; stamp: unknown }
  | { kind: 'failed'; why: string };

const maxPingBodyBytes = 65_536;

/** Asks an agent for its health once. Never rejects: a ping that fails is an observation too. */
export function pingAgent(port: number, timeoutMs: number, signal?: AbortSignal): Promise<PingObservation> {
  const { promise, resolve } = Promise.withResolvers<PingObservation>();
  // One socket per ping: a kept one could be closed by the agent in the moment it is used again.
  const ping = request({ host: '127.0.0.1', port, path: '/ping', agent: false, signal }, (response) => {
    const chunks: Buffer[] = [];
    let size = 0;
    response.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxPingBodyBytes) chunks.push(chunk);
      else response.destroy(new Error('the answer is too long'));
    });
    response.on('error', (error) => finish({ kind: 'failed', why: error.message }));
    response.on('end', () => {
      if (response.statusCode === 200) finish(readPing(Buffer.concat(chunks).toString('utf8')));
      else finish({ kind: 'failed', why: `HTTP ${response.statusCode}` });
    });
  });
  const timer = setTimeout(() => ping.destroy(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  const finish = (observation: PingObservation): void => {
    clearTimeout(timer);
    resolve(observation);
  };
  ping.on('error', (error) => finish({ kind: 'failed', why: error.message }));
  // Without a listener Node closes the connection and tells nobody.
  ping.once('upgrade', (_response, socket) => {
    socket.destroy();
    finish({ kind: 'failed', why: 'HTTP 101' });
  });
  ping.end();
  return promise;
}

// Any 200 is healthy, as for the service; only a readable status can be busy.
function readPing(text: string): PingObservation {
  const { status, time_of_last_update: stamp } = jsonObjectIn(text) ?? {};
  return { kind: 'answered', busy: status === 'HealthyBusy', stamp };
}
