import { conversation } from '@art/trajectories/testing';
import { expect, it } from 'vitest';
import { LoggedCaptureStore } from './logged-capture-store.ts';
import { retentionRules } from './retention.ts';
import { readOptions } from '@art/ground';
import type { CaptureSessionLog } from './session-log.ts';
import { CaptureSessionTable } from './session-table.ts';

/** A store without a cache whose logs fail to be read from the moment on that they are being removed. */
function storeOf(removal: Promise<void>): LoggedCaptureStore {
  let isGone = false;
  const log: CaptureSessionLog = {
    append: () => Promise.resolve(),
    captures: () => (isGone ? Promise.reject(new Error('no such file')) : Promise.resolve([])),
    remove: () => {
      isGone = true;
      return removal;
    },
  };
  return new LoggedCaptureStore({
    table: new CaptureSessionTable(readOptions('store', {}, retentionRules)),
    overheadBytes: 0,
    cacheBytes: 0,
    now: () => 1_000,
    openLog: () => log,
    noteEnds: () => Promise.resolve(),
    close: () => Promise.resolve(),
  });
}

it('has nothing of a session whose log is gone while its removal is not over', async () => {
  const removal = Promise.withResolvers<void>();
  const store = storeOf(removal.promise);
  await store.append(conversation('s', 1));
  await store.append(conversation('t', 1));
  const deleted = store.deleteSessions(['s']);
  const read = store.capturesOf('s');
  setImmediate(removal.resolve);
  expect(await read).toEqual([]);
  expect(await deleted).toBe(1);
});
