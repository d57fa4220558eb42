import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { pause } from '@art/ground';
import { MemoryObjectBackend, registerS3Endpoint } from '@art/local/s3';
import Fastify from 'fastify';
import { calledAt, type AgentPlace } from './place.ts';

/** The bucket that the agent is asked to put results into. */
export interface ResultBucket {
  readonly url: string;
  readonly name: string;
  /** Requests to S3 so far. */
  requests(): number;
  /** The text at a key as soon as there is one; undefined where none comes in time. */
  document(key: string, waitMs: number): Promise<string | undefined>;
  close(): Promise<void>;
}

const name = 'art-doctor';
const lookEveryMs = 25;

export async function openResultBucket(place: AgentPlace): Promise<ResultBucket> {
  const backend = new MemoryObjectBackend();
  const server = Fastify({ forceCloseConnections: true });
  let requests = 0;
  server.addHook('onRequest', (_request, _reply, done) => {
    requests += 1;
    done();
  });
  await registerS3Endpoint(server, { backend, buckets: [name] });
  await server.listen({ host: place.listenAt, port: 0 });
  const url = calledAt(place, `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`);
  return {
    url,
    name,
    requests: () => requests,
    document: async (key, waitMs) => {
      const until = performance.now() + waitMs;
      for (;;) {
        const object = await backend.open({ bucket: name, key });
        if (object !== undefined) return text(object.read());
        if (performance.now() > until) return undefined;
        await pause(lookEveryMs);
      }
    },
    close: () => server.close(),
  };
}
