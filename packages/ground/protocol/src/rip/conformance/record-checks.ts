import { equal } from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDirectory } from '@art/ground';
import type { RipCheck } from './rip-check.ts';
import { defineRipCheck, errorOf, type RipRoom, sameState } from './rip-room.ts';

function folderOf(room: RipRoom, session = room.session): string {
  return join(room.server.stateDir!, createHash('sha256').update(session).digest('hex'), room.id);
}

async function record(room: RipRoom, name: string, session?: string): Promise<Record<string, unknown>> {
  const state = JSON.parse(await readFile(join(folderOf(room, session), name), 'utf8')) as Record<
    string,
    unknown
  >;
  equal(state['version'], 1);
  equal(state['invocation_id'], room.id);
  return state;
}

/** Checks of the files, and of those that remain when the process was killed. */
export const recordChecks: readonly RipCheck[] = [
  defineRipCheck({
    id: 'record.layout',
    name: 'records start and result under the SHA-256 of the session',
    requires: 'stateDir',
    run: async (room) => {
      await room.start({ do: 'value', value: { a: 1 } });
      sameState(await record(room, 'started.json'), { status: 'in_progress' });
      sameState(await record(room, 'result.json'), { status: 'completed', result: { a: 1 } });
    },
  }),
  defineRipCheck({
    id: 'record.started-first',
    name: 'has recorded the start when it answers a background start',
    requires: 'stateDir',
    run: async (room) => {
      const until = randomUUID();
      await room.start({ do: 'value', value: 1, until }, { background: true });
      sameState(await record(room, 'started.json'), { status: 'in_progress' });
      await room.release(until);
      await room.ended();
    },
  }),
  defineRipCheck({
    id: 'record.error',
    name: 'records an error as the result',
    requires: 'stateDir',
    run: async (room) => {
      await room.start({ do: 'fail', message: 'planned failure' });
      errorOf(await record(room, 'result.json'));
    },
  }),
  defineRipCheck({
    id: 'record.no-session',
    name: 'records what names no session under the SHA-256 of nothing',
    requires: 'stateDir',
    run: async (room) => {
      await room.start({ do: 'value', value: 1 }, { session: null });
      sameState(await record(room, 'result.json', ''), { status: 'completed', result: 1 });
    },
  }),
  defineRipCheck({
    id: 'record.foreign',
    name: 'answers from records that another server wrote, and runs nothing for them',
    requires: 'stateDir',
    run: async (room) => {
      const state = (members: object): string =>
        JSON.stringify({ version: 1, invocation_id: room.id, ...members });
      await makeDirectory(folderOf(room));
      await writeFile(join(folderOf(room), 'started.json'), state({ status: 'in_progress' }));
      const key = randomUUID();
      sameState(await room.get(), { status: 'interrupted' });
      sameState(await room.start({ do: 'count', key }), { status: 'interrupted' });
      await writeFile(join(folderOf(room), 'result.json'), state({ status: 'completed', result: [1] }));
      sameState(await room.get(), { status: 'completed', result: [1] });
      sameState(await room.start({ do: 'count', key }), { status: 'completed', result: [1] });
      equal(await room.count(key), 1, 'how often the handler ran, this question included');
    },
  }),
  defineRipCheck({
    id: 'restart.interrupted',
    name: 'says interrupted of what a killed process was running, and never runs it again',
    requires: 'restart',
    run: async (room) => {
      const payload = { do: 'value', value: 1, until: randomUUID() };
      await room.start(payload, { background: true });
      await room.server.restart!();
      for (const background of [true, false]) {
        sameState(await room.get(), { status: 'interrupted' });
        sameState(await room.start({ do: 'value', value: 2 }, { background }), { status: 'interrupted' });
      }
    },
  }),
  defineRipCheck({
    id: 'restart.completed',
    name: 'still has the results and errors of a killed process',
    requires: 'restart',
    run: async (room) => {
      await room.start({ do: 'value', value: { kept: true } });
      const error = errorOf(await room.start({ do: 'fail', message: 'kept' }, { id: 'failed' }));
      await room.server.restart!();
      sameState(await room.get(), { status: 'completed', result: { kept: true } });
      equal(errorOf(await room.get({ id: 'failed' })), error);
    },
  }),
];
