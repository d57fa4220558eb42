import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { closeOnSignal } from './close-on-signal.ts';

const exit = vi.fn<(code?: number | string | null) => never>();
let target: EventEmitter & { exit: typeof exit };

beforeEach(() => {
  vi.useFakeTimers();
  exit.mockReset();
  target = Object.assign(new EventEmitter(), { exit });
});

afterEach(() => vi.useRealTimers());

function install(close: () => Promise<void>): () => void {
  return closeOnSignal({ close, log: () => undefined, limitMs: 8_000, target: target as never });
}

function listeners(): number {
  return target.listenerCount('SIGTERM') + target.listenerCount('SIGINT');
}

describe('closeOnSignal', () => {
  it.each(['SIGTERM', 'SIGINT'])('closes on %s and ends the process, once', async (name) => {
    const close = vi.fn(async () => undefined);
    install(close);
    target.emit(name, name);
    await vi.runAllTimersAsync();
    expect(close).toHaveBeenCalledOnce();
    expect(exit.mock.calls).toEqual([[0]]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('lets further signals change nothing while it closes, and is not to be removed then', async () => {
    const gate = Promise.withResolvers<void>();
    const close = vi.fn(() => gate.promise);
    const remove = install(close);
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
    install(() => Promise.reject(new Error('stuck')));
    target.emit('SIGTERM', 'SIGTERM');
    await vi.advanceTimersByTimeAsync(0);
    expect(exit).toHaveBeenLastCalledWith(1);

    exit.mockReset();
    target.removeAllListeners();
    install(() => new Promise(() => undefined));
    target.emit('SIGTERM', 'SIGTERM');
    await vi.advanceTimersByTimeAsync(7_000);
    target.emit('SIGTERM', 'SIGTERM');
    await vi.advanceTimersByTimeAsync(999);
    expect(exit).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(exit).toHaveBeenCalledWith(1);
  });

  it('can be taken back', () => {
    install(async () => undefined)();
    expect(listeners()).toBe(0);
  });
});
