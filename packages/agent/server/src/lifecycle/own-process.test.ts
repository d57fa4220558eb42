import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ownProcess } from './own-process.ts';

const exit = vi.fn<(code?: number | string | null) => never>();
const fatal = vi.fn<(fields: object, message: string) => void>();
let target: EventEmitter & { exit: typeof exit };

beforeEach(() => {
  vi.useFakeTimers();
  exit.mockReset();
  fatal.mockReset();
  target = Object.assign(new EventEmitter(), { exit });
});

afterEach(() => vi.useRealTimers());

const nothing = async (): Promise<void> => undefined;

function install({
  close = nothing,
  crash = nothing,
}: Partial<Parameters<typeof ownProcess>[0]>): () => void {
  const log = { info: () => undefined, fatal } as never;
  return ownProcess({ close, crash, log, limitMs: 8_000, target: target as never });
}

function listeners(): number {
  const names = ['SIGTERM', 'SIGINT', 'uncaughtException'];
  return names.reduce((count, name) => count + target.listenerCount(name), 0);
}

describe('a signal', () => {
  it.each(['SIGTERM', 'SIGINT'])('closes on %s and ends the process, once', async (name) => {
    const close = vi.fn(async () => undefined);
    install({ close });
    target.emit(name, name);
    await vi.runAllTimersAsync();
    expect(close).toHaveBeenCalledOnce();
    expect(exit.mock.calls).toEqual([[0]]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('lets further signals change nothing while it closes, and is not to be removed then', async () => {
    const gate = Promise.withResolvers<void>();
    const close = vi.fn(() => gate.promise);
    const remove = install({ close });
    target.emit('SIGTERM', 'SIGTERM');
    for (const name of ['SIGTERM', 'SIGINT', 'SIGTERM']) {
      await vi.advanceTimersByTimeAsync(700);
      target.emit(name, name);
    }
    remove();
    // Node ends a process by a signal that nobody listens for.
    expect(listeners()).toBe(2);
    expect(exit).not.toHaveBeenCalled();
    gate.resolve();
    await vi.advanceTimersByTimeAsync(0);
    expect(close).toHaveBeenCalledOnce();
    expect(exit.mock.calls).toEqual([[0]]);
  });

  it('ends the process when closing fails or takes too long', async () => {
    install({ close: () => Promise.reject(new Error('stuck')) });
    target.emit('SIGTERM', 'SIGTERM');
    await vi.advanceTimersByTimeAsync(0);
    expect(exit).toHaveBeenLastCalledWith(1);

    exit.mockReset();
    target.removeAllListeners();
    install({ close: () => new Promise(() => undefined) });
    target.emit('SIGTERM', 'SIGTERM');
    await vi.advanceTimersByTimeAsync(7_000);
    target.emit('SIGTERM', 'SIGTERM');
    await vi.advanceTimersByTimeAsync(999);
    expect(exit).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(exit).toHaveBeenCalledWith(1);
  });

  it('can be taken back', () => {
    install({})();
    expect(listeners()).toBe(0);
  });
});

describe('an error that nobody caught', () => {
  it('has what is unfinished seen to once, and the process exit with 1', async () => {
    const gate = Promise.withResolvers<void>();
    const crash = vi.fn(() => gate.promise);
    install({ crash });
    const error = new Error('stray');
    target.emit('uncaughtException', error, 'unhandledRejection');
    target.emit('uncaughtException', new Error('next'), 'uncaughtException');
    expect(crash.mock.calls).toEqual([[error]]);
    expect(fatal.mock.calls[0]).toEqual([
      { err: error },
      'A promise was rejected and nobody caught it; the process ends',
    ]);
    expect(fatal.mock.calls[1]?.[1]).toBe(
      'An error was thrown and nobody caught it; the process is ending already',
    );
    expect(exit).not.toHaveBeenCalled();
    gate.resolve();
    await vi.runAllTimersAsync();
    expect(exit.mock.calls).toEqual([[1]]);
  });

  it.each([
    ['fails', () => Promise.reject(new Error('no'))],
    ['hangs', () => new Promise<void>(() => undefined)],
  ])('ends the process also when that %s', async (_name, crash) => {
    install({ crash });
    target.emit('uncaughtException', new Error('stray'), 'uncaughtException');
    await vi.advanceTimersByTimeAsync(8_000);
    expect(exit.mock.calls).toEqual([[1]]);
  });
});
