import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Heartbeat } from './heartbeat.ts';

const options = { afterMs: 50_000, everyMs: 25_000, budgetMs: 200_000 };

describe('Heartbeat', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  function start(actions: { beat?: () => void; expire?: () => void }) {
    let lastSoundAt = performance.now();
    const sound = (): void => void (lastSoundAt = performance.now());
    const beat = (): void => {
      sound();
      actions.beat?.();
    };
    const expire = actions.expire ?? (() => undefined);
    return { sound, heartbeat: new Heartbeat(options, { beat, expire, lastSoundAt: () => lastSoundAt }) };
  }

  it('beats after the first silence, then again and again', () => {
    const beat = vi.fn<() => void>();
    const { heartbeat } = start({ beat });
    vi.advanceTimersByTime(49_000);
    expect(beat).not.toHaveBeenCalled();
    vi.advanceTimersByTime(2_000);
    expect(beat).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(50_000);
    expect(beat).toHaveBeenCalledTimes(3);
    heartbeat.stop();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is silent while the call is not', () => {
    const beat = vi.fn<() => void>();
    const { heartbeat, sound } = start({ beat });
    for (let second = 0; second < 150; second += 1) {
      vi.advanceTimersByTime(1_000);
      sound();
    }
    expect(beat).not.toHaveBeenCalled();
    vi.advanceTimersByTime(51_000);
    expect(beat).toHaveBeenCalledTimes(1);
    heartbeat.stop();
  });

  it('tells when the time is used up', () => {
    const expire = vi.fn<() => void>();
    const { heartbeat } = start({ expire });
    vi.advanceTimersByTime(199_000);
    expect(expire).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1_000);
    expect(expire).toHaveBeenCalledTimes(1);
    heartbeat.stop();
    expect(vi.getTimerCount()).toBe(0);
  });
});
