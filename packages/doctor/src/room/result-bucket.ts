import type { AddressInfo } from 'node:net';
import { pause } from '@art/async';
import { registerS3Endpoint, ResultStoreObjectBackend } from '@art/local-s3';
import { MemoryResultStore } from '@art/store';
import Fastify from 'fastify';
import { calledAt, type Place } from './place.ts';

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

export async function openResultBucket(place: Place): Promise<ResultBucket> {
  const store = new MemoryResultStore();
  const server = Fastify({ forceCloseConnections: true });
  let requests = 0;
  server.addHook('onRequest', (_request, _reply, done) => {
    requests += 1;
    done();
  });
  await registerS3Endpoint(server, { backend: new ResultStoreObjectBackend(store) });
  await server.listen({ host: place.listenAt, port: 0 });
  const url = calledAt(place, `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`);
  return {
    url,
    name,
    requests: () => requests,
    document: async (key, waitMs) => {
      const until = performance.now() + waitMs;
      for (;;) {
        const text = await store.get({ bucket: name, key });
        if (text !== undefined || performance.now() > until) return text;
        await pause(lookEveryMs);
      }
    },
    close: () => server.close(),
  };
}
