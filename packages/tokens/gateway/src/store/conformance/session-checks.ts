import { deepEqual, equal } from 'node:assert/strict';
import { conversation, sampleCapture } from '@art/trajectories/testing';
import { appended, checkOnStore, manualClock, type CaptureStoreCheck } from './capture-store-check.ts';

/** Sessions, their lists, and what deleting one means. */
export const sessionChecks: readonly CaptureStoreCheck[] = [
  checkOnStore('session.unknown', 'knows nothing of what was never created', async (store) => {
    equal(await store.session('s'), undefined);
    equal(await store.capture('t'), undefined);
    deepEqual(await store.capturesOf('s'), []);
    deepEqual(await store.sessions(), []);
    equal(await store.deleteSessions(['s']), 0);
    equal(await store.finishSession('s'), false);
  }),
  {
    id: 'session.finish',
    name: 'finishes a session, with other metadata where there are some, which is no creation',
    run: async ({ open }) => {
      const clock = manualClock();
      const store = await open({ now: clock.now });
      await store.createSession({ sessionId: 's', metadata: { a: 1 } });
      clock.advance(1_000);
      equal(await store.finishSession('s'), true);
      const { metadata, finished } = (await store.session('s'))!;
      deepEqual({ metadata, finished }, { metadata: { a: 1 }, finished: true });
      equal(await store.finishSession('s', { b: 2 }), true);
      const found = (await store.session('s'))!;
      deepEqual(found.metadata, { b: 2 });
      equal(found.createdAtMs, 1_000_000);
      await store.deleteSessions(['s']);
      equal(await store.finishSession('s', { c: 3 }), false);
      equal(await store.session('s'), undefined);
      await store.close();
    },
  },
  {
    id: 'session.create',
    name: 'creates again without losing what the new call leaves empty',
    run: async ({ open }) => {
      const clock = manualClock();
      const store = await open({ now: clock.now });
      await store.createSession({ sessionId: 's', metadata: { a: 1 }, samplingParams: { top_k: 5 } });
      await store.append([sampleCapture({ captureId: 't', sessionId: 's' })]);
      clock.advance(1_000);
      const again = await store.createSession({ sessionId: 's', metadata: {}, samplingParams: { top_k: 6 } });
      const expected = {
        sessionId: 's',
        createdAtMs: 1_001_000,
        metadata: { a: 1 },
        samplingParams: { top_k: 6 },
        captureCount: 1,
        incompleteCount: 0,
        firstCaptureAtMs: 1_000_000,
        lastCaptureAtMs: 1_000_000,
        finished: false,
      };
      deepEqual(again, expected);
      deepEqual(await store.session('s'), expected);
      await store.close();
    },
  },
  {
    id: 'session.list',
    name: 'lists sessions that have captures, the one that began last first',
    run: async ({ open }) => {
      const clock = manualClock();
      const store = await open({ now: clock.now });
      await store.createSession({ sessionId: 'empty' });
      for (const sessionId of ['a', 'b', 'c']) {
        await store.append([sampleCapture({ captureId: `${sessionId}1`, sessionId })]);
        clock.advance(10);
      }
      await store.append([sampleCapture({ captureId: 'a2', sessionId: 'a', status: 'partial' })]);
      const ids = async (range = {}): Promise<string[]> =>
        (await store.sessions(range)).map((session) => session.sessionId);
      deepEqual(await ids(), ['c', 'b', 'a']);
      deepEqual(await ids({ sinceMs: 1_000_010.9 }), ['c', 'b']);
      deepEqual(await ids({ limit: 1 }), ['c']);
      deepEqual(await ids({ limit: 0 }), []);
      equal((await store.session('a'))?.incompleteCount, 1);
      equal((await store.session('a'))?.lastCaptureAtMs, 1_000_030);
      await store.close();
    },
  },
  {
    id: 'session.range',
    name: 'answers the first captures that were stored at a time or later',
    run: async ({ open }) => {
      const clock = manualClock();
      const store = await open({ now: clock.now });
      for (const capture of conversation('s', 4)) {
        await store.append([capture]);
        clock.advance(10);
      }
      const ids = async (range = {}): Promise<string[]> =>
        (await store.capturesOf('s', range)).map((capture) => capture.captureId);
      deepEqual(await ids({ sinceMs: 1_000_010 }), ['s-1', 's-2', 's-3']);
      deepEqual(await ids({ sinceMs: 1_000_010, limit: 2 }), ['s-1', 's-2']);
      deepEqual(await ids({ sinceMs: 2_000_000 }), []);
      await store.close();
    },
  },
  checkOnStore('delete.captures', 'deletes a session with its captures and nothing else', async (store) => {
    await store.append(conversation('s', 3));
    await store.append(conversation('other', 2));
    equal(await store.deleteSessions(['s']), 3);
    equal(await store.session('s'), undefined);
    deepEqual(await store.capturesOf('s'), []);
    equal(await store.capture('s-1'), undefined);
    deepEqual(appended(await store.capturesOf('other')), conversation('other', 2));
    equal(await store.deleteSessions(['s']), 0);
  }),
  checkOnStore('delete.several', 'deletes several sessions and counts their captures', async (store) => {
    await store.append(conversation('a', 3));
    await store.append(conversation('b', 2));
    await store.append(conversation('c', 1));
    equal(await store.deleteSessions(['a', 'nobody', 'b', 'a']), 5);
    deepEqual(
      (await store.sessions()).map((session) => session.sessionId),
      ['c'],
    );
  }),
  checkOnStore('delete.late', 'drops and counts late captures of a deleted session', async (store) => {
    await store.append(conversation('s', 2));
    await store.deleteSessions(['s']);
    await store.append([sampleCapture({ captureId: 'late', sessionId: 's', timestampMs: 9e12 })]);
    equal(await store.capture('late'), undefined);
    equal(await store.session('s'), undefined);
    equal(store.stats().droppedCaptures, 1);
    equal(store.stats().tombstones, 1);
  }),
  {
    id: 'delete.revive',
    name: 'takes captures again after createSession, but none of calls from before the deletion',
    run: async ({ open }) => {
      const clock = manualClock();
      const store = await open({ now: clock.now });
      await store.append(conversation('s', 2));
      await store.deleteSessions(['s']);
      clock.advance(10);
      await store.createSession({ sessionId: 's' });
      const late = sampleCapture({ captureId: 'late', sessionId: 's', timestampMs: 999_999 });
      const fresh = sampleCapture({ captureId: 'fresh', sessionId: 's', timestampMs: 1_000_010 });
      await store.append([late, fresh]);
      deepEqual(appended(await store.capturesOf('s')), [fresh]);
      equal(store.stats().droppedCaptures, 1);
      await store.close();
    },
  },
  {
    id: 'delete.first-call',
    name: 'keeps out the first call of a session that was deleted while it was under way, and no later one',
    run: async ({ open }) => {
      const clock = manualClock();
      const store = await open({ now: clock.now });
      await store.deleteSessions(['s']);
      await store.append([sampleCapture({ captureId: 'under way', sessionId: 's', timestampMs: 999_000 })]);
      deepEqual(await store.capturesOf('s'), []);
      await store.append([sampleCapture({ captureId: 'later', sessionId: 's', timestampMs: 1_000_001 })]);
      equal((await store.capturesOf('s')).length, 1);
      await store.close();
    },
  },
];
