import { mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { FileResultStore } from '@art/store';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { makeTestDirectory, type TestDirectory } from '../s3-endpoint.fixture.ts';
import { FileObjectBackend } from './file-object-backend.ts';
import { readObject, storeObject } from './store-object.fixture.ts';

const at = { bucket: 'bucket', key: 'Exp/input-1/s.json' };
let directory: TestDirectory;
let store: FileResultStore;
beforeEach(async () => {
  directory = await makeTestDirectory();
  store = new FileResultStore({ root: directory.path, durability: 'process' });
});
afterEach(async () => directory.remove());

const reopen = (durability: 'disk' | 'process' = 'disk') =>
  new FileObjectBackend({ root: directory.path, durability });

it('is another view of the directory of a file store', async () => {
  await storeObject(directory.backend, at, '{"a":1}');
  expect(await store.get(at)).toBe('{"a":1}');
  await store.put({ ...at, key: 'Exp/2' }, 'two');
  expect(await readObject(directory.backend, { ...at, key: 'Exp/2' })).toBe('two');
  const range = { bucket: at.bucket, prefix: '', limit: 10 };
  expect(await directory.backend.list(range)).toEqual(await store.list(range));
  expect(await store.put(at, 'late', { ifAbsent: true })).toEqual({ kind: 'exists' });
  expect(await storeObject(directory.backend, { ...at, key: 'Exp/2' }, 'late', { kind: 'absent' })).toEqual({
    kind: 'precondition-failed',
  });
});

it('remembers what a put said until another program replaces the file, and no longer than it lives', async () => {
  await storeObject(directory.backend, at, 'one');
  const etag = 'f97c5d29941bfb1b2fdab0874906ab82';
  const known = { contentType: 'text/plain', metadata: { by: 'test' }, sizeBytes: 3 };
  expect(await directory.backend.describe(at)).toMatchObject(known);
  expect(await reopen().describe(at)).toMatchObject({ etag, contentType: 'application/json', metadata: {} });
  await store.put(at, 'other');
  for (const backend of [directory.backend, reopen()]) {
    expect(await backend.describe(at)).toMatchObject({
      contentType: 'application/json',
      metadata: {},
      sizeBytes: 5,
      etag: '795f3202b17cb6bc3d4b771d8c6c9eaf',
    });
  }
});

it('gives a reader the version that it opened', async () => {
  await storeObject(directory.backend, at, 'old');
  const object = await directory.backend.open(at);
  await storeObject(directory.backend, at, 'newer', {
    kind: 'matches',
    etag: object?.description.etag ?? '',
  });
  const chunks: Buffer[] = [];
  for await (const chunk of object?.read() ?? []) chunks.push(chunk as Buffer);
  expect(Buffer.concat(chunks).toString()).toBe('old');
  expect(await readObject(directory.backend, at)).toBe('newer');
});

it('lets one of many writers of several backends win', async () => {
  const backends = Array.from({ length: 5 }, () => reopen('process'));
  const outcomes = await Promise.all(
    backends.flatMap((backend) =>
      Array.from({ length: 4 }, (_, index) => storeObject(backend, at, `${index}`, { kind: 'absent' })),
    ),
  );
  expect(outcomes.filter((outcome) => outcome.kind === 'done')).toHaveLength(1);
  expect(await readdir(join(directory.path, '.s3', 'uploads'))).toEqual([]);
});

it('deletes an object once its condition holds', async () => {
  await storeObject(directory.backend, at, 'x');
  expect(await directory.backend.delete(at, { kind: 'matches', etag: 'no' })).toEqual({
    kind: 'precondition-failed',
  });
  expect(await directory.backend.delete(at, { kind: 'always' })).toEqual({ kind: 'done' });
  expect(await directory.backend.delete(at, { kind: 'always' })).toEqual({ kind: 'done' });
  expect(await store.exists(at)).toBe(false);
});

it('keeps keys inside the root that as paths would lead elsewhere', async () => {
  const root = join(directory.path, 'root');
  const backend = new FileObjectBackend({ root, durability: 'process' });
  for (const key of ['../x', 'a/../../x', 'a//b', '/a', 'a/', '..']) {
    await storeObject(backend, { bucket: 'bucket', key }, key);
    expect(await readObject(backend, { bucket: 'bucket', key })).toBe(key);
  }
  expect(await readdir(directory.path)).toEqual(['root']);
  expect((await readdir(root)).toSorted()).toEqual(['.s3', 'bucket']);
});

it.each(['bucket/Exp', 'bucket', '.s3', '.s3/uploads'])(
  'does not follow %s that is a link out of the root',
  async (linked) => {
    const root = join(directory.path, 'root');
    const outside = join(directory.path, 'outside');
    const backend = new FileObjectBackend({ root, durability: 'process' });
    await mkdir(join(outside, 'input-1'), { recursive: true });
    await mkdir(dirname(join(root, linked)), { recursive: true });
    // The codec writes capitals small.
    await symlink(outside, join(root, linked.replace('Exp', 'exp~1')));
    const isRefused = { code: 'ART_INVALID_RESULT_KEY' };
    await expect(storeObject(backend, at, 'x')).rejects.toMatchObject(isRefused);
    expect(await readdir(outside, { recursive: true })).toEqual(['input-1']);
    if (linked === 'bucket') {
      await expect(backend.createBucket('bucket')).rejects.toMatchObject(isRefused);
      await expect(backend.deleteBucket('bucket')).rejects.toMatchObject(isRefused);
      expect(await backend.buckets()).toEqual([]);
    }
    if (linked.startsWith('bucket')) {
      const path = join(outside, linked === 'bucket' ? 'exp~1/input-1' : 'input-1', 's.json');
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, 'secret');
      for (const look of [backend.describe(at), backend.open(at), backend.delete(at, { kind: 'always' })]) {
        await expect(look).rejects.toMatchObject(isRefused);
      }
    }
  },
);

it('lets nobody else read an object', async () => {
  await storeObject(directory.backend, at, 'x');
  expect((await stat(join(directory.path, 'bucket/exp~1/input-1/s.json'))).mode & 0o777).toBe(0o600);
});

it('describes what another one over the same folder has stored since from its bytes', async () => {
  await storeObject(directory.backend, at, 'first');
  await storeObject(reopen(), at, 'second');
  const etag = 'a9f0e61a137d86aa9db53465e0801612';
  expect(await directory.backend.describe(at)).toMatchObject({ etag, metadata: {}, sizeBytes: 6 });
});

it('does not take its own directory for a bucket', async () => {
  await storeObject(directory.backend, at, 'x');
  await directory.backend.createBucket('empty');
  const buckets = await directory.backend.buckets();
  expect(buckets.map((bucket) => bucket.name).toSorted()).toEqual(['bucket', 'empty']);
  expect(await directory.backend.deleteBucket('bucket')).toBe(false);
  expect(await directory.backend.deleteBucket('empty')).toBe(true);
  expect(await directory.backend.deleteBucket('never')).toBe(true);
  expect(await directory.backend.hasBucket('empty')).toBe(false);
});

it('removes uploads that processes left behind an hour ago', async () => {
  const cut = Promise.withResolvers<Uint8Array>();
  const chunks = (async function* () {
    yield await cut.promise;
  })();
  const properties = { etag: '0', contentType: 'text/plain', headers: {}, metadata: {} };
  const upload = directory.backend.put(at, { chunks, properties: () => properties }, { kind: 'always' });
  const uploads = join(directory.path, '.s3', 'uploads');
  const later = new FileObjectBackend({
    root: directory.path,
    now: () => Date.now() + 2 * 3_600_000,
  });
  await expect.poll(() => readdir(uploads).catch(() => [])).toHaveLength(1);
  await storeObject(later, at, 'x');
  expect(await readdir(uploads)).toHaveLength(0);
  cut.reject(new Error('The client is gone.'));
  await expect(upload).rejects.toThrow('The client is gone.');
});
