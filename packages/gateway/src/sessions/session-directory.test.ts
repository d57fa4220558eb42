import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { sampleTrace } from '@art/trajectories/testing';
import { DiskTraceStore } from '../store/disk/disk-trace-store.ts';
import { MemoryTraceStore } from '../store/memory-trace-store.ts';
import { SessionDirectory } from './session-directory.ts';

async function openDirectory(path: string): Promise<{ store: DiskTraceStore; directory: SessionDirectory }> {
  const store = await DiskTraceStore.open({ directory: path });
  onTestFinished(() => store.close());
  return { store, directory: new SessionDirectory(store) };
}

async function temporaryPath(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'art-directory-'));
  onTestFinished(() => rm(path, { recursive: true, force: true, maxRetries: 10 }));
  return path;
}

describe('a session that is deleted', () => {
  it('takes calls for the first time if it did not exist', async () => {
    const directory = new SessionDirectory(new MemoryTraceStore());
    expect(await directory.delete(['one'])).toBe(0);
    expect(await directory.enter('one')).toMatchObject({ sessionId: 'one' });
  });

  it('stays deleted for the call that was just bringing it into being', async () => {
    const { store, directory } = await openDirectory(await temporaryPath());
    const creation = vi.spyOn(store, 'createSession');
    const entering = directory.enter('one');
    // The store writes its file now.
    await vi.waitFor(() => expect(creation).toHaveBeenCalled(), { interval: 0 });
    await directory.delete(['one']);
    await entering;
    await store.append([sampleTrace({ traceId: 't', sessionId: 'one', timestampMs: 1 })]);
    expect(await store.session('one')).toBeUndefined();
    expect(await directory.enter('one')).toBeUndefined();
    await directory.create({ sessionId: 'one' });
    expect(await directory.enter('one')).toMatchObject({ sessionId: 'one' });
  });

  it('stays deleted over a restart', async () => {
    const path = await temporaryPath();
    const before = await openDirectory(path);
    await before.directory.create({ sessionId: 'one' });
    await before.store.append([sampleTrace({ traceId: 't', sessionId: 'one' })]);
    expect(await before.directory.delete(['one'])).toBe(1);
    await before.store.close();

    const { store, directory } = await openDirectory(path);
    expect(await directory.enter('one')).toBeUndefined();
    expect(await store.session('one')).toBeUndefined();
    await directory.create({ sessionId: 'one' });
    expect(await directory.enter('one')).toMatchObject({ sessionId: 'one' });
    expect(await store.isDeleted('one')).toBe(false);
  });
});
