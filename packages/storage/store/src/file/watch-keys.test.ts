import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, rm, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { FileResultStore, type FileResultStoreOptions } from './file-result-store.ts';
import { storeRoot } from './store-root.fixture.ts';

const bucket = 'bucket';
/** Longer than any test, so that what is reported came from the system's events. */
const never = 10 * 60_000;

async function watched(
  options: Omit<FileResultStoreOptions, 'root'>,
  prefix = '',
): Promise<{ root: string; store: FileResultStore; keys: string[] }> {
  const root = await storeRoot();
  const store = new FileResultStore({ root, ...options });
  const keys: string[] = [];
  const watch = await store.watch({ bucket, prefix }, (key) => keys.push(key));
  onTestFinished(() => watch.close());
  return { root, store, keys };
}

describe('the watch of a FileResultStore', () => {
  it('hears of keys in new nested directories by events alone', async () => {
    const { store, keys } = await watched({ pollIntervalMs: never }, 'exp/');
    const expected = Array.from({ length: 60 }, (_, index) => `exp/input-${index % 20}/deep/${index}.json`);
    await Promise.all(expected.map((key) => store.put({ bucket, key }, '{}')));
    await vi.waitFor(() => expect([...new Set(keys)].toSorted()).toEqual(expected.toSorted()));
  });

  it('hears of what another store on the same root puts, and of an overwrite', async () => {
    const { root, keys } = await watched({ pollIntervalMs: never });
    const other = new FileResultStore({ root });
    await other.put({ bucket, key: 'a.json' }, 'one');
    await vi.waitFor(() => expect(keys).toContain('a.json'));
    keys.length = 0;
    await other.put({ bucket, key: 'a.json' }, 'two');
    await vi.waitFor(() => expect(keys).toContain('a.json'));
  });

  it('finds keys by polling where there are no events', async () => {
    const { store, keys } = await watched({ maxWatchedDirectories: 0, pollIntervalMs: 15 }, 'exp/');
    for (const key of ['exp/a.json', 'exp/b/c.json', 'other/d.json']) await store.put({ bucket, key }, '{}');
    await vi.waitFor(() => expect(keys.toSorted()).toEqual(['exp/a.json', 'exp/b/c.json']));
    await store.put({ bucket, key: 'exp/b/d.json' }, '{}');
    await vi.waitFor(() => expect(keys).toContain('exp/b/d.json'));
  });

  it('looks again within 30 s after a look that took 10 minutes, as one does while the process is stopped', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { store, keys } = await watched({ maxWatchedDirectories: 0, pollIntervalMs: 2_000 });
    vi.advanceTimersToNextTimer();
    // The look has begun, and nothing of it can end before this has passed.
    vi.advanceTimersByTime(10 * 60_000);
    await expect.poll(() => vi.getTimerCount()).toBe(1);
    await store.put({ bucket, key: 'a.json' }, '{}');
    vi.advanceTimersByTime(30_000);
    await expect.poll(() => keys).toEqual(['a.json']);
  });

  it('goes on when the bucket, or all of the root, is removed and made again', async () => {
    const { root, store, keys } = await watched({ pollIntervalMs: 20 });
    await store.put({ bucket, key: 'a/1.json' }, '{}');
    await vi.waitFor(() => expect(keys).toContain('a/1.json'));
    for (const [removed, key] of [
      [join(root, bucket), 'a/2.json'],
      [root, 'a/3.json'],
    ] as const) {
      await rm(removed, { recursive: true, maxRetries: 10 });
      await store.put({ bucket, key }, '{}');
      await vi.waitFor(() => expect(keys).toContain(key));
    }
  });

  it('reports what is in a directory that is moved into place', async () => {
    const { root, keys } = await watched({ pollIntervalMs: never });
    const elsewhere = new FileResultStore({ root: join(root, '..', 'elsewhere') });
    await elsewhere.put({ bucket, key: 'exp/input/s.json' }, '{}');
    await mkdir(join(root, bucket));
    await rename(join(root, '..', 'elsewhere', bucket, 'exp'), join(root, bucket, 'exp'));
    await vi.waitFor(() => expect(keys).toContain('exp/input/s.json'));
  });

  it('makes the root and nothing else', async () => {
    const { root } = await watched({}, 'exp/input/');
    expect(existsSync(root)).toBe(true);
    expect(existsSync(join(root, bucket))).toBe(false);
  });

  it('lets the process end once it is closed', async () => {
    const module = pathToFileURL(join(import.meta.dirname, 'file-result-store.ts')).href;
    const script = `
      const { FileResultStore } = await import(${JSON.stringify(module)});
      const store = new FileResultStore({ root: ${JSON.stringify(await storeRoot())} });
      const { promise, resolve } = Promise.withResolvers();
      const watch = await store.watch({ bucket: 'b', prefix: '' }, resolve);
      await store.put({ bucket: 'b', key: 'deep/er/a.json' }, '{}');
      console.log(await promise);
      await watch.close();
    `;
    const child = spawn(process.execPath, ['--conditions=@art/source', '--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    expect({ code, output }).toEqual({ code: 0, output: 'deep/er/a.json\n' });
  });
});
