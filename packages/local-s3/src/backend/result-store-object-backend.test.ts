import { MemoryResultStore, type ResultStore } from '@art/store';
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { rawRequest } from '@art/tooling/raw-http';
import { startTestEndpoint, type TestEndpoint } from '../s3-endpoint.fixture.ts';
import { ResultStoreObjectBackend } from './result-store-object-backend.ts';

const Bucket = 'results';
let store: ResultStore;
let endpoint: TestEndpoint;
beforeEach(async () => {
  store = new MemoryResultStore();
  endpoint = await startTestEndpoint({ backend: new ResultStoreObjectBackend(store) });
});
afterEach(async () => endpoint.close());

it('shows one store to S3 clients and to its own users', async () => {
  await endpoint.client.send(new PutObjectCommand({ Bucket, Key: 'e/1/a.json', Body: '{"ä":1}' }));
  expect(await store.get({ bucket: Bucket, key: 'e/1/a.json' })).toBe('{"ä":1}');
  await store.put({ bucket: Bucket, key: 'e/2/b.json' }, '{}');
  const got = await endpoint.client.send(
    new GetObjectCommand({ Bucket, Key: 'e/2/b.json', Range: 'bytes=0-0' }),
  );
  expect(await got.Body?.transformToString()).toBe('{');
  const page = await endpoint.client.send(new ListObjectsV2Command({ Bucket, Prefix: 'e/' }));
  expect(page.Contents?.map((item) => [item.Key, item.Size])).toEqual([
    ['e/1/a.json', 8],
    ['e/2/b.json', 2],
  ]);
});

it('lets one of 20 conditional writers win', async () => {
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      endpoint.client
        .send(new PutObjectCommand({ Bucket, Key: 'race', Body: `${index}`, IfNoneMatch: '*' }))
        .then(
          () => 'won',
          (error: Error) => error.name,
        ),
    ),
  );
  expect(outcomes.toSorted()).toEqual([...Array.from({ length: 19 }, () => 'PreconditionFailed'), 'won']);
});

it('says what a result store cannot do', async () => {
  const send = (method: string, path: string, body: string | Buffer = '') =>
    rawRequest(endpoint.port, method, path, {}, body);
  const binary = await send('PUT', `/${Bucket}/k`, Buffer.from([0xff, 0xfe]));
  expect(binary).toMatchObject({ status: 400, body: expect.stringContaining('UTF-8') as string });
  expect((await send('DELETE', `/${Bucket}/k`)).status).toBe(501);
});

it('answers 500 with the reason when the store fails', async () => {
  store.get = async () => {
    throw new Error('The disk is on fire.');
  };
  const reply = await rawRequest(endpoint.port, 'GET', `/${Bucket}/k`);
  expect(reply.status).toBe(500);
  expect(reply.body).toMatch(/<Code>InternalError<\/Code>.*The disk is on fire\./);
});
