import { deepEqual, equal, rejects } from 'node:assert/strict';
import type { CaptureStore } from '../capture-store.ts';
import { conversation, sampleCapture } from '@art/trajectories/testing';
import { appended, checkOnStore, manualClock, type CaptureStoreCheck } from './capture-store-check.ts';

const capture = (sessionId: string, captureId = `t of ${sessionId}`): ReturnType<typeof sampleCapture> =>
  sampleCapture({ captureId, sessionId });

async function listed(store: CaptureStore): Promise<string[]> {
  return (await store.sessions()).map((session) => session.sessionId).toSorted();
}

/** Checks of a full store, and of time that has passed. */
export const boundChecks: readonly CaptureStoreCheck[] = [
  checkOnStore(
    'bound.finished-first',
    'evicts finished sessions, the one that has been idle longest first, and counts them',
    async (store) => {
      for (const sessionId of ['a', 'b', 'c']) await store.append([capture(sessionId)]);
      await store.finishSession('b');
      await store.finishSession('a');
      await store.append([capture('d')]);
      deepEqual(await listed(store), ['a', 'c', 'd']);
      await store.createSession({ sessionId: 'e' });
      deepEqual(await listed(store), ['c', 'd']);
      equal(store.stats().evictedSessions, 2);
      equal(store.stats().evictedCaptures, 2);
    },
    { maxSessions: 3 },
  ),
  checkOnStore(
    'bound.full',
    'refuses a capture rather than evict a session that is in use, and keeps what it has',
    async (store) => {
      await store.append([capture('a')]);
      await store.append([capture('b')]);
      await rejects(store.append([capture('c')]), { code: 'ART_GATEWAY_STORE_FULL' });
      await rejects(store.createSession({ sessionId: 'c' }), { code: 'ART_GATEWAY_STORE_FULL' });
      await store.append([capture('a', 'more')]);
      deepEqual(await listed(store), ['a', 'b']);
      equal((await store.capturesOf('a')).length, 2);
      equal(await store.session('c'), undefined);
      await store.deleteSessions(['b']);
      await store.append([capture('c')]);
      deepEqual(await listed(store), ['a', 'c']);
    },
    { maxSessions: 2 },
  ),
  {
    id: 'bound.idle',
    name: 'evicts what nobody finished only once it is idle, and refuses its late captures by name',
    run: async ({ open }) => {
      const clock = manualClock();
      const store = await open({ now: clock.now, maxSessions: 1, idleMs: 1_000 });
      await store.append([capture('a')]);
      clock.advance(999);
      await rejects(store.append([capture('b')]), { code: 'ART_GATEWAY_STORE_FULL' });
      clock.advance(1);
      await store.append([capture('b')]);
      deepEqual(await listed(store), ['b']);
      await rejects(store.append([capture('a', 'late')]), { code: 'ART_GATEWAY_SESSION_GONE' });
      equal(await store.capture('late'), undefined);
      await store.close();
    },
  },
  {
    id: 'bound.bytes',
    name: 'counts bytes down again when sessions go, and makes room by bytes',
    run: async ({ open }) => {
      const probe = await open();
      await probe.append(conversation('a', 10));
      const { bytes } = probe.stats();
      await probe.deleteSessions(['a']);
      equal(probe.stats().bytes, 0);
      await probe.close();
      const store = await open({ maxBytes: bytes * 1.5 });
      await store.append(conversation('a', 10));
      await rejects(store.append(conversation('b', 10)), { code: 'ART_GATEWAY_STORE_FULL' });
      equal(store.stats().bytes, bytes);
      deepEqual(await listed(store), ['a']);
      await store.finishSession('a');
      await store.append(conversation('b', 10));
      deepEqual(appended(await store.capturesOf('b')), conversation('b', 10));
      deepEqual(await listed(store), ['b']);
      await store.close();
    },
  },
  {
    id: 'bound.ttl',
    name: 'lets sessions expire so long after their last capture, and counts them',
    run: async ({ open }) => {
      const clock = manualClock();
      const store = await open({ now: clock.now, ttlMs: 1_000 });
      await store.append([capture('a')]);
      await store.append([capture('b')]);
      clock.advance(600);
      await store.append([capture('b', 'more')]);
      clock.advance(400);
      equal(await store.session('a'), undefined);
      deepEqual(await store.capturesOf('a'), []);
      equal(await store.capture('t of a'), undefined);
      deepEqual(await listed(store), ['b']);
      await rejects(store.append([capture('a', 'late')]), { code: 'ART_GATEWAY_SESSION_GONE' });
      equal(store.stats().expiredSessions, 1);
      await store.createSession({ sessionId: 'a' });
      await store.append([sampleCapture({ captureId: 'again', sessionId: 'a', timestampMs: 1_001_000 })]);
      equal((await store.capturesOf('a')).length, 1);
      await store.close();
    },
  },
  {
    id: 'bound.tombstones',
    name: 'forgets deleted sessions by count and by age',
    run: async ({ open }) => {
      const clock = manualClock();
      const store = await open({ now: clock.now, maxTombstones: 2, tombstoneTtlMs: 1_000 });
      for (const sessionId of ['a', 'b', 'c']) {
        await store.append([capture(sessionId)]);
        await store.deleteSessions([sessionId]);
      }
      equal(store.stats().tombstones, 2);
      await store.append([capture('c', 'late')]);
      equal(store.stats().droppedCaptures, 1);
      clock.advance(1_000);
      await store.append([capture('c', 'much later')]);
      deepEqual(await listed(store), ['c']);
      await store.close();
    },
  },
  {
    id: 'close.closed',
    name: 'refuses everything after close, which may be called twice',
    run: async ({ open }) => {
      const store = await open();
      const last = store.append([capture('a')]);
      await store.close();
      await store.close();
      await last;
      for (const call of [
        () => store.append([capture('b')]),
        () => store.createSession({ sessionId: 'b' }),
        () => store.session('a'),
        () => store.sessions(),
        () => store.capturesOf('a'),
        () => store.capture('t of a'),
        () => store.finishSession('a'),
        () => store.deleteSessions(['a']),
        () => store.flush(),
      ]) {
        await rejects(call, { code: 'ART_CLOSED' });
      }
    },
  },
  checkOnStore('input.refused', 'refuses ids and ranges that mean nothing', async (store) => {
    const code = { code: 'ART_INVALID_OPTION' };
    await rejects(store.createSession({ sessionId: '' }), code);
    await rejects(store.deleteSessions(['\ud800']), code);
    await rejects(store.deleteSessions(['a', '']), code);
    await store.append([capture('a')]);
    await rejects(store.capturesOf('a', { limit: -1 }), code);
    await rejects(store.sessions({ sinceMs: Number.NaN }), code);
    await store.append([]);
  }),
];
