import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { S3Client } from '@aws-sdk/client-s3';
import { fastify } from 'fastify';

import { FileObjectBackend } from './backend/file-object-backend.ts';
import { registerS3Endpoint } from './endpoint/register-s3-endpoint.ts';
import type { S3EndpointOptions } from './operations/s3-call.ts';

export interface TestEndpoint {
  url: string;
  port: number;
  /** The real SDK with its defaults, as an unmodified program has it. */
  client: S3Client;
  close(): Promise<void>;
}

export async function startTestEndpoint(options: S3EndpointOptions = {}): Promise<TestEndpoint> {
  const server = fastify({ forceCloseConnections: true });
  server.get('/runtimes/other', () => ({ route: 'other' }));
  server.post('/runtimes/:name/invocations', (request) => ({ got: request.body }));
  await registerS3Endpoint(server, { autoCreateBuckets: true, ...options });
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  const client = new S3Client({
    endpoint: url,
    region: 'us-west-2',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  return {
    url,
    port: Number(new URL(url).port),
    client,
    close: async () => {
      client.destroy();
      await server.close();
    },
  };
}

export interface TestDirectory {
  path: string;
  backend: FileObjectBackend;
  remove(): Promise<void>;
}

export async function makeTestDirectory(): Promise<TestDirectory> {
  const path = await mkdtemp(join(tmpdir(), 'art-s3-'));
  return {
    path,
    backend: new FileObjectBackend({ root: path, durability: 'process' }),
    remove: () => rm(path, { recursive: true, force: true, maxRetries: 10 }),
  };
}
