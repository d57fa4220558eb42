import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Spent } from '@art/protocol';
import { sampleCapture } from '@art/trajectories/testing';
import { DiskCaptureStore } from '../store/disk/disk-capture-store.ts';
import { MemoryCaptureStore } from '../store/memory-capture-store.ts';
import { LiveSessions } from './live-sessions.ts';

async function openSessions(path: string): Promise<{ store: DiskCaptureStore; sessions: LiveSessions }> {
  const store = await DiskCaptureStore.open({ directory: path });
  onTestFinished(() => store.close());
  return { store, sessions: new LiveSessions({ store }) };
}

async function temporaryPath(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'art-directory-'));
  onTestFinished(() => rm(path, { recursive: true, force: true, maxRetries: 10 }));
  return path;
}

it('counts failed calls only of sessions that it has seen from their beginning', async () => {
  const store = new MemoryCaptureStore();
  const first = new LiveSessions({ store });
  const session = await first.createTrajectory({ sessionId: 'one' });
  session.countFailedCall();
  expect((await first.find('one'))?.failedCalls).toBe(1);
  // After a restart.
  const reopened = await new LiveSessions({ store }).find('one');
  reopened?.countFailedCall();
  expect(reopened).toMatchObject({ failedCalls: undefined });
});

it('counts what a session spent before a restart, and tells what its run did', async () => {
  const store = new MemoryCaptureStore();
  const told: Spent[] = [];
  const onSpent = (_: string, spent: Spent): void => void told.push({ ...spent });
  const run = { id: 'r', ceiling: {}, spent: { calls: 7, tokens: 0, usd: 0 } };
  const ceilings = { sample: { calls: 2 }, run, prices: { '*': { input: 1, output: 1 } } };
  const before = await new LiveSessions({ store, onSpent }).createTrajectory({ sessionId: 'one', ceilings });
  before.spending?.begin('m');
  expect(told).toEqual([{ calls: 8, tokens: 0, usd: 0 }]);
  await store.append([sampleCapture({ sessionId: 'one', captureId: 'a' })]);
  const again = await new LiveSessions({ store }).find('one');
  again?.spending?.begin('m');
  expect(() => again?.spending?.begin('m')).toThrow(/all of its 2 calls/);
  expect(again?.spending?.reached).toMatchObject({ of: 'sample', unit: 'calls' });
});

describe('a session that is deleted', () => {
  it('takes calls for the first time if it did not exist', async () => {
    const sessions = new LiveSessions({ store: new MemoryCaptureStore() });
    expect(await sessions.delete(['one'])).toBe(0);
    expect(await sessions.enter('one')).toMatchObject({ sessionId: 'one' });
  });

  it('stays deleted for the call that was just bringing it into being', async () => {
    const { store, sessions } = await openSessions(await temporaryPath());
    const creation = vi.spyOn(store, 'createSession');
    const entering = sessions.enter('one');
    // The store writes its file now.
    await vi.waitFor(() => expect(creation).toHaveBeenCalled(), { interval: 0 });
    await sessions.delete(['one']);
    await entering;
    await store.append([sampleCapture({ captureId: 't', sessionId: 'one', timestampMs: 1 })]);
    expect(await store.session('one')).toBeUndefined();
    expect(await sessions.enter('one')).toBeUndefined();
    await sessions.create({ sessionId: 'one' });
    expect(await sessions.enter('one')).toMatchObject({ sessionId: 'one' });
  });

  it('stays deleted over a restart', async () => {
    const path = await temporaryPath();
    const before = await openSessions(path);
    await before.sessions.create({ sessionId: 'one' });
    await before.store.append([sampleCapture({ captureId: 't', sessionId: 'one' })]);
    expect(await before.sessions.delete(['one'])).toBe(1);
    await before.store.close();

    const { store, sessions } = await openSessions(path);
    expect(await sessions.enter('one')).toBeUndefined();
    expect(await store.session('one')).toBeUndefined();
    await sessions.create({ sessionId: 'one' });
    expect(await sessions.enter('one')).toMatchObject({ sessionId: 'one' });
    expect(await store.isDeleted('one')).toBe(false);
  });
});
