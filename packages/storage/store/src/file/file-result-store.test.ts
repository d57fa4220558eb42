import { mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ArtError, type ErrorCode } from '@art/ground';
import { describe, expect, it, vi } from 'vitest';
import { StoreError } from '../store-error.ts';
import { FileResultStore, type FileResultStoreOptions } from './file-result-store.ts';
import { filesBelow, storeRoot } from './store-root.fixture.ts';

const at = { bucket: 'bucket', key: 'exp/input/session.json' };

describe('FileResultStore', () => {
  it('keeps a result where its key says, as a plain file', async () => {
    const root = await storeRoot();
    await new FileResultStore({ root }).put(at, '{"rewards": 1.0}');
    expect(await readFile(join(root, 'bucket/exp/input/session.json'), 'utf8')).toBe('{"rewards": 1.0}');
    expect(await filesBelow(root)).toEqual(['bucket/exp/input/session.json']);
  });

  it('touches no disk before something is put', async () => {
    const root = await storeRoot();
    const store = new FileResultStore({ root });
    expect(await store.get(at)).toBeUndefined();
    expect(await store.exists(at)).toBe(false);
    expect(await store.list({ bucket: 'bucket', prefix: '' })).toEqual({ keys: [], truncated: false });
    expect(existsSync(root)).toBe(false);
  });

  it.each([
    '../outside.json',
    'exp/../../outside.json',
    'exp/..',
    '..',
    '.',
    './a',
    'a/./b',
    '/etc/passwd',
    'a//b',
    'a/',
    '/',
  ])('refuses the key %j before it touches the disk', async (key) => {
    const root = await storeRoot();
    const store = new FileResultStore({ root });
    for (const call of [
      () => store.put({ ...at, key }, '{}'),
      () => store.get({ ...at, key }),
      () => store.exists({ ...at, key }),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'ART_INVALID_RESULT_KEY' satisfies ErrorCode, key });
    }
    expect(existsSync(root)).toBe(false);
    expect(await filesBelow(dirname(root))).toEqual([]);
  });

  it.each(['..', '.', '../other', 'a/../b', '/tmp'])(
    'refuses the bucket %j before it touches the disk',
    async (bucket) => {
      const root = await storeRoot();
      const store = new FileResultStore({ root });
      const isRefused = { code: 'ART_INVALID_BUCKET' satisfies ErrorCode, bucket };
      await expect(store.put({ ...at, bucket }, '{}')).rejects.toMatchObject(isRefused);
      await expect(store.list({ bucket, prefix: '' })).rejects.toMatchObject(isRefused);
      expect(existsSync(root)).toBe(false);
    },
  );

  it('refuses a body that is not text or would come back changed', async () => {
    const root = await storeRoot();
    const store = new FileResultStore({ root });
    for (const body of ['\ud800', undefined, { a: 1 }, Buffer.from('{}')]) {
      await expect(store.put(at, body as string)).rejects.toMatchObject({ code: 'ART_INVALID_RESULT_BODY' });
    }
    expect(existsSync(root)).toBe(false);
  });

  it('takes a key of 1,024 bytes', async () => {
    const store = new FileResultStore({ root: await storeRoot() });
    const key = 'Ab'.repeat(200) + '/' + 'c'.repeat(620) + '/ö';
    expect(Buffer.byteLength(key)).toBe(1_024);
    await store.put({ ...at, key }, 'body');
    expect(await store.get({ ...at, key })).toBe('body');
    expect(await store.list({ bucket: 'bucket', prefix: 'Ab' })).toEqual({ keys: [key], truncated: false });
  });

  it('leaves no temporary file behind when a put fails, is refused or is aborted', async () => {
    const root = await storeRoot();
    const store = new FileResultStore({ root });
    await store.put(at, 'first', { ifAbsent: true });
    await Promise.all(
      Array.from({ length: 20 }, () => store.put({ ...at, key: 'race.json' }, 'x', { ifAbsent: true })),
    );
    await mkdir(join(root, 'bucket', 'taken.json'));
    await expect(store.put({ ...at, key: 'taken.json' }, 'x')).rejects.toThrow(StoreError);
    const reason = new Error('changed my mind');
    const controller = new AbortController();
    const put = store.put({ ...at, key: 'big.json' }, 'x'.repeat(50_000_000), { signal: controller.signal });
    await vi.waitFor(async () => expect(await filesBelow(join(root, '.temporary'))).toHaveLength(1), {
      interval: 1,
    });
    controller.abort(reason);
    await expect(put).rejects.toBe(reason);
    expect(await filesBelow(root)).toEqual(['bucket/exp/input/session.json', 'bucket/race.json']);
  });

  it('passes over files that it did not write', async () => {
    const root = await storeRoot();
    const store = new FileResultStore({ root });
    await store.put(at, '{}');
    for (const name of ['.DS_Store', 'Notes.json', 'notes.txt', 'session.json.swp']) {
      await writeFile(join(root, 'bucket/exp', name), 'not ours');
    }
    await mkdir(join(root, 'bucket/exp/directory.json'));
    await symlink('/etc', join(root, 'bucket/exp/elsewhere'));
    expect((await store.list({ bucket: 'bucket', prefix: '' })).keys).toEqual([at.key]);
    expect(await store.get({ ...at, key: 'exp/directory.json' })).toBeUndefined();
    expect(await store.exists({ ...at, key: 'exp/directory.json' })).toBe(false);
  });

  it.each([
    ['a folder', 'bucket/exp'],
    ['the bucket', 'bucket'],
    ['the folder of unfinished results', '.temporary'],
  ])('does not follow %s that is a link out of the root', async (_, linked) => {
    const root = await storeRoot();
    const outside = join(dirname(root), 'outside');
    await mkdir(join(outside, 'input'), { recursive: true });
    await writeFile(join(outside, 'input/session.json'), 'secret');
    await mkdir(dirname(join(root, linked)), { recursive: true });
    await symlink(outside, join(root, linked));
    const store = new FileResultStore({ root });
    const key = linked === 'bucket' ? 'input/session.json' : at.key;
    const isRefused = { code: 'ART_INVALID_RESULT_KEY' satisfies ErrorCode, bucket: 'bucket' };
    await expect(store.put({ ...at, key }, '{}')).rejects.toMatchObject(isRefused);
    await expect(store.put({ ...at, key: `${key}.new` }, '{}')).rejects.toThrow(/link leads to .*outside/);
    if (linked !== '.temporary') {
      await expect(store.get({ ...at, key })).rejects.toMatchObject(isRefused);
      await expect(store.exists({ ...at, key })).rejects.toMatchObject(isRefused);
      const prefix = linked === 'bucket' ? '' : 'exp/';
      await expect(store.list({ bucket: 'bucket', prefix })).rejects.toMatchObject(isRefused);
    }
    expect(await filesBelow(outside)).toEqual(['input/session.json']);
    expect(await readFile(join(outside, 'input/session.json'), 'utf8')).toBe('secret');
  });

  it('does not follow a link to a file out of the root, nor one to nothing', async () => {
    const root = await storeRoot();
    const store = new FileResultStore({ root });
    await store.put(at, '{}');
    await writeFile(join(dirname(root), 'secret'), 'secret');
    await symlink(join(dirname(root), 'secret'), join(root, 'bucket/exp/linked.json'));
    await symlink(join(dirname(root), 'nowhere'), join(root, 'bucket/gone'));
    const isRefused = { code: 'ART_INVALID_RESULT_KEY' satisfies ErrorCode };
    await expect(store.get({ ...at, key: 'exp/linked.json' })).rejects.toMatchObject(isRefused);
    await expect(store.put({ ...at, key: 'gone/a.json' }, '{}')).rejects.toMatchObject(isRefused);
    expect(existsSync(join(dirname(root), 'nowhere'))).toBe(false);
  });

  it('takes a root that is a link itself', async () => {
    const root = await storeRoot();
    const linkedRoot = join(dirname(root), 'linked');
    await mkdir(root);
    await symlink(root, linkedRoot);
    const store = new FileResultStore({ root: linkedRoot });
    await store.put(at, '{}');
    expect(await store.get(at)).toBe('{}');
    expect((await store.list({ bucket: 'bucket', prefix: 'exp/' })).keys).toEqual([at.key]);
  });

  it('lets nobody else read a result', async () => {
    const root = await storeRoot();
    for (const ifAbsent of [true, false]) await new FileResultStore({ root }).put(at, '{}', { ifAbsent });
    expect((await stat(join(root, 'bucket', at.key))).mode & 0o777).toBe(0o600);
  });

  it('says what is wrong with the path, with operation, bucket, key and cause', async () => {
    const root = await storeRoot();
    await writeFile(root, 'a file');
    const error: unknown = await new FileResultStore({ root })
      .put(at, '{}')
      .catch((reason: unknown) => reason);
    expect(StoreError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({
      code: 'ART_STORE_FAILED',
      operation: 'put',
      ...at,
      cause: { code: 'ENOTDIR' },
    });
    expect((error as Error).message).toMatch(
      /^Store put of "exp\/input\/session.json" in bucket "bucket" failed: .*root/,
    );
  });

  it.each([
    [{ root: '' }, 'root'],
    [{ root: 7 }, 'root'],
    [{ root: '/a\0b' }, 'root'],
    [{ root: '/a', durability: 'fast' }, 'durability'],
    [{ root: '/a', durabilty: 'process' }, 'options of FileResultStore'],
  ])('refuses the options %j', (options, name) => {
    const make = (): unknown => new FileResultStore(options as FileResultStoreOptions);
    expect(make).toThrow(ArtError);
    expect(make).toThrow(new RegExp(`^Expected \`${name}\` to be .*, got `));
  });
});
