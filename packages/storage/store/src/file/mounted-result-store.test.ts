import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import type * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { MemoryResultStore } from '../memory-result-store.ts';
import { StoreError } from '../store-error.ts';
import { hasOtherDevice, mountedFolder } from './mounted-folder.fixture.ts';
import { MountedResultStore } from './mounted-result-store.ts';
import { filesBelow, storeRoot } from './store-root.fixture.ts';

const seen = vi.hoisted(() => ({ calls: [] as string[], during: {} as Record<string, () => void> }));

// A mounted bucket refuses nearly everything: what is not listed here does not exist.
vi.mock('node:fs/promises', async (original) => {
  const { open, readFile, stat, mkdir, mkdtemp, readdir, rm } = await original<typeof fs>();
  const noted = async <T>(name: string, act: () => Promise<T>): Promise<T> => {
    seen.calls.push(name);
    seen.during[name]?.();
    return act();
  };
  return {
    readFile,
    stat,
    mkdir,
    mkdtemp,
    readdir,
    rm,
    open: async (path: string, flags: string) => {
      const handle = await noted(`open ${flags}`, () => open(path, flags));
      return {
        writeFile: (text: string) => noted('write', () => handle.writeFile(text)),
        datasync: () => noted('sync', () => handle.datasync()),
        close: () => noted('close', () => handle.close()),
      };
    },
  };
});

beforeEach(() => {
  seen.calls.length = 0;
  seen.during = {};
});

const at = { bucket: 'my-results', key: 'math/exp-1/input 7/Session-1.json' };
const file = 'exp-1/input 7/Session-1.json';
const once = { ifAbsent: true };
const fails = (code: string, and = (): void => undefined) => {
  and();
  throw Object.assign(new Error(`${code}: it failed`), { code });
};

describe.runIf(hasOtherDevice)('a store on a mounted bucket', () => {
  const mounted = (outside?: () => Promise<MemoryResultStore>) => {
    const path = mountedFolder();
    return {
      path,
      store: new MountedResultStore({ path, bucket: 'my-results', prefix: 'math/' }, outside),
    };
  };

  it('writes the file that is the object of the key, in one go, and syncs it', async () => {
    const { path, store } = mounted();
    expect(await store.put(at, '{"rewards":1}', once)).toEqual({ kind: 'stored' });
    expect(readFileSync(join(path, file), 'utf8')).toBe('{"rewards":1}');
    expect(seen.calls).toEqual(['open wx', 'write', 'sync', 'close']);
    expect(await filesBelow(path)).toEqual([file]);
  });

  it('leaves the first result, reads it, and misses what is not there', async () => {
    const { store } = mounted();
    await store.put(at, 'first', once);
    expect(await store.put(at, 'second', once)).toEqual({ kind: 'exists' });
    await expect(store.put(at, 'second')).rejects.toMatchObject({
      retryable: false,
      message: expect.stringContaining('cannot replace it') as string,
    });
    expect(await store.get(at)).toBe('first');
    expect(await store.exists(at)).toBe(true);
    expect(await store.exists({ ...at, key: 'math/exp-1/none.json' })).toBe(false);
  });

  it('opens the other store anew where that failed', async () => {
    const elsewhere = { ...at, bucket: 'others' };
    const outside = vi.fn(async () => new MemoryResultStore());
    outside.mockRejectedValueOnce(new Error('no credentials yet'));
    const { store } = mounted(outside);
    await expect(store.put(elsewhere, 'text', once)).rejects.toThrow('no credentials yet');
    expect(await store.put(elsewhere, 'text', once)).toEqual({ kind: 'stored' });
  });

  it.each([
    ['another bucket', { ...at, bucket: 'others' }],
    ['another folder', { ...at, key: 'maths/e/i/s.json' }],
    ['no name', { ...at, key: 'math/e//s.json' }],
    ['a way out', { ...at, key: 'math/../s.json' }],
    ['too long a name', { ...at, key: `math/e/${'i'.repeat(256)}/s.json` }],
    ['a NUL', { ...at, key: 'math/e/\0/s.json' }],
  ])('leaves %s to the other store, which is opened once', async (_what, elsewhere) => {
    const other = new MemoryResultStore();
    const outside = vi.fn(async () => other);
    const { store, path } = mounted(outside);
    expect(outside).not.toHaveBeenCalled();
    expect(await store.put(elsewhere, 'text', once)).toEqual({ kind: 'stored' });
    expect(await store.get(elsewhere)).toBe('text');
    expect(await other.get(elsewhere)).toBe('text');
    expect(outside).toHaveBeenCalledOnce();
    expect(await filesBelow(path)).toEqual([]);
    await expect(mounted().store.put(elsewhere, 'text')).rejects.toMatchObject({
      code: 'ART_STORE_FAILED',
      retryable: false,
      message: expect.stringContaining('s3://my-results/math/, which is mounted at') as string,
    });
  });

  it('never takes what a broken try has left for a result', async () => {
    const { path, store } = mounted();
    const left = join(path, file);
    seen.during['sync'] = () => fails('EIO', () => writeFileSync(left, '{"rew'));
    await expect(store.put(at, '{"rewards":1}', once)).rejects.toMatchObject({ retryable: true });
    seen.during = {};
    await expect(store.put(at, '{"rewards":1}', once)).rejects.toMatchObject({
      retryable: true,
      message: expect.stringContaining('has left a part of it') as string,
    });
    // A mount takes the name away with the upload that failed.
    rmSync(left);
    expect(await store.put(at, '{"rewards":1}', once)).toEqual({ kind: 'stored' });
    expect(await store.put(at, 'later', once)).toEqual({ kind: 'exists' });
  });

  it('takes a result that has arrived although its write failed', async () => {
    const { store } = mounted();
    seen.during['close'] = () => fails('EIO');
    await expect(store.put(at, 'whole', once)).rejects.toBeInstanceOf(StoreError);
    expect(await store.put(at, 'whole', once)).toEqual({ kind: 'stored' });
    expect(await store.put(at, 'whole', once)).toEqual({ kind: 'exists' });
  });

  it('ends a write that has begun, since a mount makes an object of every part', async () => {
    const { path, store } = mounted();
    const controller = new AbortController();
    seen.during['write'] = () => controller.abort(new Error('enough'));
    const options = { ...once, signal: controller.signal };
    expect(await store.put(at, 'whole', options)).toEqual({ kind: 'stored' });
    expect(readFileSync(join(path, file), 'utf8')).toBe('whole');
    await expect(store.put({ ...at, key: 'math/other.json' }, 'x', options)).rejects.toThrow('enough');
  });

  it.each(['ENOTCONN', 'EIO', 'EROFS'])('says that the mount is gone, as %s', async (code) => {
    const { store } = mounted();
    seen.during['open wx'] = () => fails(code);
    await expect(store.put(at, 'x', once)).rejects.toMatchObject({
      code: 'ART_STORE_FAILED',
      operation: 'put',
      key: at.key,
      message: expect.stringContaining(code) as string,
    });
    seen.during = {};
    expect(await store.put(at, 'x', once)).toEqual({ kind: 'stored' });
  });
});

describe('where nothing is mounted', () => {
  it.each([
    ['no folder', false],
    ['a folder of the disk', true],
  ])('a result is not written to %s', async (_what, isThere) => {
    const { mkdir } = await vi.importActual<typeof fs>('node:fs/promises');
    const path = await storeRoot();
    if (isThere) await mkdir(path);
    const store = new MountedResultStore({ path, bucket: 'my-results', prefix: '' });
    await expect(store.put(at, 'x', once)).rejects.toMatchObject({
      code: 'ART_STORE_FAILED',
      retryable: true,
      message: expect.stringContaining(`Expected a bucket to be mounted at ${path}`) as string,
    });
    await expect(store.get(at)).rejects.toThrow('Expected a bucket to be mounted');
    expect(seen.calls).toEqual([]);
  });
});
