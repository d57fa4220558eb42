import { equal, ok, rejects } from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { defineCheck, type CheckInit } from './check-room.ts';
import type { ResultStoreCheck } from './result-store-check.ts';

/** A reason that nothing but the signal can have produced. */
class Reason extends Error {}

function cancellationCheck(init: CheckInit): ResultStoreCheck {
  return defineCheck(init);
}

/** Every call ends when its signal says so, and leaves nothing on the signal. */
export const cancellationChecks: readonly ResultStoreCheck[] = [
  cancellationCheck({
    id: 'signal.aborted-before',
    name: 'rejects with the reason of a signal that is aborted already, and stores nothing',
    run: async (room) => {
      const reason = new Reason();
      const options = { signal: AbortSignal.abort(reason) };
      const isReason = (error: unknown): boolean => error === reason;
      await rejects(room.put('a.json', '{}', options), isReason, 'put');
      await rejects(room.put('a.json', '{}', { ...options, ifAbsent: true }), isReason, 'put with ifAbsent');
      await rejects(room.store.get(room.at('a.json'), options), isReason, 'get');
      await rejects(room.store.exists(room.at('a.json'), options), isReason, 'exists');
      equal(await room.exists('a.json'), false);
    },
  }),
  cancellationCheck({
    id: 'signal.aborted-before-list',
    name: 'rejects list with the reason of a signal that is aborted already',
    requires: 'list',
    run: async ({ store, bucket, prefix }) => {
      const reason = new Reason();
      await rejects(
        async () => store.list?.({ bucket, prefix }, { signal: AbortSignal.abort(reason) }),
        (error) => error === reason,
      );
    },
  }),
  cancellationCheck({
    id: 'signal.aborted-before-watch',
    name: 'rejects watch with the reason of a signal that is aborted already',
    requires: 'watch',
    run: async ({ store, bucket, prefix }) => {
      const reason = new Reason();
      await rejects(
        async () => store.watch?.({ bucket, prefix }, () => undefined, { signal: AbortSignal.abort(reason) }),
        (error) => error === reason,
      );
    },
  }),
  cancellationCheck({
    id: 'signal.aborted-during-put',
    name: 'stores all or nothing when a put is aborted under way',
    run: async (room) => {
      const body = 'x'.repeat(2_000_000);
      // Different numbers of turns of the event loop reach different stages of the put.
      for (let turns = 0; turns < 12; turns += 1) {
        const name = `abort-${turns}.json`;
        const reason = new Reason();
        const controller = new AbortController();
        const put = room.put(name, body, { signal: controller.signal, ifAbsent: turns % 2 === 0 }).then(
          (outcome) => outcome.kind,
          (error: unknown) => error,
        );
        for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
        controller.abort(reason);
        const outcome = await put;
        ok(outcome === 'stored' || outcome === reason, `put ended with ${String(outcome)}`);
        const found = await room.get(name);
        ok(found === undefined || found === body, `${found?.length} characters are left of an aborted put`);
        if (outcome === 'stored') ok(found === body, 'put answered stored and nothing is there');
      }
    },
  }),
  cancellationCheck({
    id: 'signal.no-leak',
    name: 'leaves no listener on the signal',
    run: async (room) => {
      const controller = new AbortController();
      const options = { signal: controller.signal };
      await room.put('a.json', '{}', options);
      await room.put('a.json', '{}', { ...options, ifAbsent: true });
      await room.store.get(room.at('a.json'), options);
      await room.store.get(room.at('missing.json'), options);
      await room.store.exists(room.at('a.json'), options);
      await room.store.list?.({ bucket: room.bucket, prefix: room.prefix }, options);
      const watch = await room.store.watch?.(
        { bucket: room.bucket, prefix: room.prefix },
        () => undefined,
        options,
      );
      await watch?.close();
      equal(getEventListeners(controller.signal, 'abort').length, 0, 'listeners left on the signal');
    },
  }),
];
