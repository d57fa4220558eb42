import { deepEqual, equal } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { RipCheck } from './rip-check.ts';
import { defineRipCheck, errorOf, type RipRoom, sameState } from './rip-room.ts';

const once = { status: 'completed', result: 1 };

async function ranOnce(room: RipRoom, key: string): Promise<void> {
  equal(await room.count(key), 2, 'how often the handler ran, this question included');
}

/** Checks of a repeated start, and of the bounds of a session. */
export const repeatChecks: readonly RipCheck[] = [
  ...[false, true].map((background) =>
    defineRipCheck({
      id: `repeat.ended-${background ? 'background' : 'foreground'}`,
      name: `answers a repeated ${background ? 'background' : 'foreground'} start with the stored result, and runs nothing`,
      run: async (room) => {
        const key = randomUUID();
        sameState(await room.start({ do: 'count', key }), once);
        sameState(await room.start({ do: 'count', key }, { background }), once);
        await ranOnce(room, key);
      },
    }),
  ),
  defineRipCheck({
    id: 'repeat.other-payload',
    name: 'answers a repeated start with the stored result, whatever its payload',
    run: async (room) => {
      await room.start({ do: 'value', value: 'first' });
      sameState(await room.start({ do: 'fail', message: 'x' }), { status: 'completed', result: 'first' });
    },
  }),
  defineRipCheck({
    id: 'repeat.error',
    name: 'answers a repeated start of what failed with the stored error',
    run: async (room) => {
      const error = errorOf(await room.start({ do: 'fail', message: 'first' }));
      equal(errorOf(await room.start({ do: 'value', value: 'second' })), error);
    },
  }),
  defineRipCheck({
    id: 'repeat.running-background',
    name: 'answers a repeated background start with in_progress while the handler runs',
    run: async (room) => {
      const key = randomUUID();
      const payload = { do: 'count', key, until: key };
      await room.start(payload, { background: true });
      sameState(await room.start(payload, { background: true }), { status: 'in_progress' });
      await room.release(key);
      sameState(await room.ended(), once);
      await ranOnce(room, key);
    },
  }),
  defineRipCheck({
    id: 'repeat.running-foreground',
    name: 'lets a repeated foreground start wait for the same execution',
    run: async (room) => {
      const key = randomUUID();
      const payload = { do: 'count', key, until: key };
      await room.start(payload, { background: true });
      const repeated = room.start(payload, { background: false });
      const [state] = await Promise.all([repeated, room.release(key)]);
      sameState(state, once);
      await ranOnce(room, key);
    },
  }),
  defineRipCheck({
    id: 'repeat.concurrent',
    name: 'runs one of 50 equal starts that come at once',
    run: async (room) => {
      const key = randomUUID();
      const start = (index: number): Promise<Record<string, unknown>> =>
        room.start({ do: 'count', key, until: key }, { background: index % 2 === 0 });
      const starts = Array.from({ length: 50 }, (_, index) => start(index));
      const released = Promise.all(starts.filter((_, index) => index % 2 === 0)).then(async (states) => {
        for (const state of states) sameState(state, { status: 'in_progress' });
        await room.release(key);
      });
      const waited = Promise.all(starts.filter((_, index) => index % 2 === 1));
      const [states] = await Promise.all([waited, released]);
      for (const state of states) sameState(state, once);
      sameState(await room.ended(), once);
      await ranOnce(room, key);
    },
  }),
  defineRipCheck({
    id: 'session.own',
    name: 'knows an invocation in its own session only',
    run: async (room) => {
      const session = randomUUID();
      await room.start({ do: 'value', value: 'here' });
      sameState(await room.get({ session }), { status: 'not_found' });
      sameState(await room.start({ do: 'value', value: 'there' }, { session }), {
        status: 'completed',
        result: 'there',
      });
      sameState(await room.get(), { status: 'completed', result: 'here' });
    },
  }),
  defineRipCheck({
    id: 'session.same-id-at-once',
    name: 'runs the same id in two sessions at the same time',
    run: async (room) => {
      const session = randomUUID();
      const until = randomUUID();
      await room.start({ do: 'value', value: 'here', until }, { background: true });
      // In the background: a server that takes it for the other one answers, too.
      await room.start({ do: 'value', value: 'there', until }, { session, background: true });
      await room.release(until);
      sameState(await room.ended({ session }), { status: 'completed', result: 'there' });
      sameState(await room.ended(), { status: 'completed', result: 'here' });
    },
  }),
  defineRipCheck({
    id: 'session.none',
    name: 'has its own session for requests that name none',
    run: async (room) => {
      await room.start({ do: 'value', value: 'no name' }, { session: null });
      sameState(await room.get({ session: null }), { status: 'completed', result: 'no name' });
      sameState(await room.get(), { status: 'not_found' });
    },
  }),
  defineRipCheck({
    id: 'session.odd',
    name: 'keeps sessions apart whose names would be paths',
    run: async (room) => {
      const session = `../${randomUUID()}/..`;
      sameState(await room.start({ do: 'value', value: 'odd' }, { session }), {
        status: 'completed',
        result: 'odd',
      });
      sameState(await room.get({ session }), { status: 'completed', result: 'odd' });
      sameState(await room.get(), { status: 'not_found' });
    },
  }),
  defineRipCheck({
    id: 'get.not-found',
    name: 'says not_found of what was never started',
    run: async (room) => sameState(await room.get(), { status: 'not_found' }),
  }),
  defineRipCheck({
    id: 'get.no-handler',
    name: 'never lets a get reach the handler, whatever else is in it',
    run: async (room) => {
      const key = randomUUID();
      sameState(await room.get({}, { do: 'count', key }), { status: 'not_found' });
      equal(await room.count(key), 1, 'how often the handler ran, this question included');
    },
  }),
  defineRipCheck({
    id: 'get.stable',
    name: 'gives the same answer however often it is asked',
    run: async (room) => {
      const first = await room.start({ do: 'value', value: { a: [1] } });
      for (let time = 0; time < 3; time += 1) deepEqual(await room.get(), first);
    },
  }),
];
