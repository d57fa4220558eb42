import { equal, match, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ripEnvelopeField } from '../rip-request.ts';
import type { RipCheck } from './rip-check.ts';
import { defineRipCheck, errorOf, sameState } from './rip-room.ts';

const values: [name: string, value: unknown][] = [
  ['null', null],
  ['false', false],
  ['zero', 0],
  ['a fraction', 0.1],
  ['an empty text', ''],
  ['an empty list', []],
  ['an empty object', {}],
  ['nested lists and objects', { a: [{ b: [null, { c: 'd' }] }] }],
  ['Unicode of every plane', 'äöü 日本語 עברית 👩‍🔬 \u{10ffff} \u2028'],
  ['the names of a state', { version: 2, status: 'not_found', error: 'none', result: 1 }],
  ['a megabyte', 'x'.repeat(1_000_000)],
];

const valueChecks = values.map(([name, value], index) =>
  defineRipCheck({
    id: `start.value-${index + 1}`,
    name: `gives back what the handler returned: ${name}`,
    run: async (room) => {
      const expected = { status: 'completed', result: value };
      sameState(await room.start({ do: 'value', value }), expected);
      sameState(await room.get(), expected);
    },
  }),
);

const failures: [id: string, name: string, payload: object][] = [
  ['nan', 'a number that is no number', { do: 'nan' }],
  ['circular', 'a value that contains itself', { do: 'circular' }],
];

const failureChecks = failures.flatMap(([id, name, payload]) =>
  [false, true].map((background) =>
    defineRipCheck({
      id: `start.${id}-${background ? 'background' : 'foreground'}`,
      name: `saves an error where the handler returned ${name}, started in the ${background ? 'background' : 'foreground'}`,
      run: async (room) => {
        const state = await room.start(payload, { background });
        const error = errorOf(background ? await room.ended() : state);
        equal(errorOf(await room.get()), error);
      },
    }),
  ),
);

/** Checks of a start, in the foreground and in the background. */
export const startChecks: readonly RipCheck[] = [
  ...valueChecks,
  defineRipCheck({
    id: 'start.default',
    name: 'waits for the end where the envelope says nothing about the background',
    run: async (room) => {
      const until = randomUUID();
      const start = room.start({ do: 'value', value: 1, until });
      const [state] = await Promise.all([start, room.release(until)]);
      sameState(state, { status: 'completed', result: 1 });
    },
  }),
  defineRipCheck({
    id: 'start.payload',
    name: 'hands on the payload without the envelope, `_config` included',
    run: async (room) => {
      const payload = {
        do: 'echo',
        _config: { base_url: 'http://gw/v1', deep: [{ [ripEnvelopeField]: 1 }] },
        more: [1],
      };
      sameState(await room.start(payload), { status: 'completed', result: payload });
    },
  }),
  defineRipCheck({
    id: 'start.error',
    name: 'tells what the handler threw',
    run: async (room) => {
      match(errorOf(await room.start({ do: 'fail', message: 'planned failure' })), /planned failure/);
      match(errorOf(await room.get()), /planned failure/);
    },
  }),
  ...failureChecks,
  defineRipCheck({
    id: 'start.background',
    name: 'answers a background start at once, and is in progress until the handler has returned',
    run: async (room) => {
      const running = { status: 'in_progress' };
      const until = randomUUID();
      sameState(await room.start({ do: 'value', value: 'late', until }, { background: true }), running);
      sameState(await room.get(), running);
      await room.release(until);
      sameState(await room.ended(), { status: 'completed', result: 'late' });
    },
  }),
  defineRipCheck({
    id: 'start.background-error',
    name: 'tells what the handler of a background start threw',
    run: async (room) => {
      sameState(await room.start({ do: 'fail', message: 'planned failure' }, { background: true }), {
        status: 'in_progress',
      });
      match(errorOf(await room.ended()), /planned failure/);
    },
  }),
  defineRipCheck({
    id: 'start.concurrent',
    name: 'runs invocations of one session side by side',
    run: async (room) => {
      const slow = { id: 'slow', background: true };
      const until = randomUUID();
      await room.start({ do: 'value', value: 'slow', until }, slow);
      sameState(await room.start({ do: 'value', value: 'quick' }), { status: 'completed', result: 'quick' });
      sameState(await room.get(slow), { status: 'in_progress' });
      await room.release(until);
      sameState(await room.ended(slow), { status: 'completed', result: 'slow' });
    },
  }),
  defineRipCheck({
    id: 'start.busy',
    name: 'is HealthyBusy at /ping while an invocation runs, and Healthy afterwards',
    run: async (room) => {
      const until = randomUUID();
      await room.start({ do: 'value', value: 1, until }, { background: true });
      equal(await room.ping(), 'HealthyBusy');
      await room.release(until);
      await room.ended();
      // Others may share the server, and the state is known a moment before the ping.
      for (;;) {
        const status = await room.ping();
        if (status === 'Healthy') break;
        equal(status, 'HealthyBusy');
        await sleep(20);
      }
    },
  }),
  defineRipCheck({
    id: 'start.connection-lost',
    name: 'continues when the connection of a foreground start is lost',
    run: async (room) => {
      const controller = new AbortController();
      const until = randomUUID();
      const payload = { do: 'value', value: 'kept', until };
      const start = room.start(payload, { signal: controller.signal }).then(
        () => 'answered',
        () => 'lost',
      );
      for (;;) {
        const { status } = await room.get();
        if (status === 'in_progress') break;
        equal(status, 'not_found');
        await sleep(10);
      }
      controller.abort();
      equal(await start, 'lost');
      await room.release(until);
      sameState(await room.ended(), { status: 'completed', result: 'kept' });
    },
  }),
  defineRipCheck({
    id: 'plain.answer',
    name: 'answers a request without an envelope with the value itself',
    run: async (room) => {
      const value = { version: 1, invocation_id: 'x' };
      const { status, body } = await room.post({ do: 'value', value });
      equal(status, 200);
      equal(JSON.stringify(body), JSON.stringify(value));
    },
  }),
  defineRipCheck({
    id: 'plain.nested-envelope',
    name: 'takes an envelope inside of another member for data',
    run: async (room) => {
      const inner = { [ripEnvelopeField]: { version: 1, operation: 'get', invocation_id: room.id } };
      const { body } = await room.post({ do: 'value', value: inner });
      equal(JSON.stringify(body), JSON.stringify(inner));
      ok((await room.get())['status'] === 'not_found');
    },
  }),
];
