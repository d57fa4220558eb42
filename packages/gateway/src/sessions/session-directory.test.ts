import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sampleTrace } from '@art/trajectories/testing';
import { DiskTraceStore } from '../store/disk/disk-trace-store.ts';
import { MemoryTraceStore } from '../store/memory-trace-store.ts';
import { SessionDirectory } from './session-directory.ts';

describe('a session that is deleted', () => {
  it('takes calls for the first time if it did not exist', async () => {
    const directory = new SessionDirectory(new MemoryTraceStore());
    expect(await directory.delete(['one'])).toBe(0);
    expect(await directory.enter('one')).toMatchObject({ kind: 'open' });
  });

  it('stays deleted for the call that was just bringing it into being', async () => {
    const store = new MemoryTraceStore();
    const directory = new SessionDirectory(store);
    const entering = directory.enter('one');
    await directory.delete(['one']);
    expect(await entering).toEqual({ kind: 'deleted' });
    expect(await directory.enter('one')).toEqual({ kind: 'deleted' });
    expect(await store.session('one')).toBeUndefined();
    await directory.create({ sessionId: 'one' });
    expect(await directory.enter('one')).toMatchObject({ kind: 'open' });
  });

  it('stays deleted over a restart', async () => {
    const path = await mkdtemp(join(tmpdir(), 'art-directory-'));
    onTestFinished(() => rm(path, { recursive: true, force: true, maxRetries: 10 }));
    const before = await DiskTraceStore.open({ directory: path });
    const first = new SessionDirectory(before);
    await first.create({ sessionId: 'one' });
    await before.append([sampleTrace({ traceId: 't', sessionId: 'one' })]);
    expect(await first.delete(['one'])).toBe(1);
    await before.close();

    const store = await DiskTraceStore.open({ directory: path });
    onTestFinished(() => store.close());
    const directory = new SessionDirectory(store);
    expect(await directory.enter('one')).toEqual({ kind: 'deleted' });
    expect(await store.session('one')).toBeUndefined();
    await directory.create({ sessionId: 'one' });
    expect(await directory.enter('one')).toMatchObject({ kind: 'open' });
    expect(await store.isDeleted('one')).toBe(false);
  });
});
