import { EventEmitter } from 'node:events';
import { beforeEach, expect, it, vi } from 'vitest';
import { exitOnStrayError } from './exit-on-stray-error.ts';

const exit = vi.fn<(code?: number | string | null) => never>();
const log = vi.fn<(error: unknown, message: string) => void>();
let target: EventEmitter & { exit: typeof exit };

beforeEach(() => {
  exit.mockReset();
  log.mockReset();
  target = Object.assign(new EventEmitter(), { exit });
});

function install(end: (error: unknown) => Promise<void>): () => void {
  return exitOnStrayError({ end, log, limitMs: 50, target: target as never });
}

it('sees to what is unfinished once, and exits with 1', async () => {
  const gate = Promise.withResolvers<void>();
  const end = vi.fn(() => gate.promise);
  install(end);
  const error = new Error('stray');
  target.emit('uncaughtException', error, 'unhandledRejection');
  target.emit('uncaughtException', new Error('next'), 'uncaughtException');
  expect(end.mock.calls).toEqual([[error]]);
  expect(log.mock.calls.map(([, message]) => message)).toEqual([
    'A promise was rejected and nobody caught it; the process ends',
    'An error was thrown and nobody caught it; the process is ending already',
  ]);
  expect(exit).not.toHaveBeenCalled();
  gate.resolve();
  await vi.waitFor(() => expect(exit.mock.calls).toEqual([[1]]));
});

it.each([
  ['fails', () => Promise.reject(new Error('no'))],
  ['hangs', () => new Promise<void>(() => undefined)],
])('exits also when that %s', async (_name, end) => {
  install(end);
  target.emit('uncaughtException', new Error('stray'), 'uncaughtException');
  await vi.waitFor(() => expect(exit.mock.calls).toEqual([[1]]));
});

it('can be taken back', () => {
  install(async () => undefined)();
  expect(target.listenerCount('uncaughtException')).toBe(0);
});
