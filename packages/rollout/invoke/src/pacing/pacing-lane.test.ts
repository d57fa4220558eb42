import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LocalGrants } from './local-grants.ts';
import { paceOf } from './grant-source.ts';
import { PacingLane, type LaneGate } from './pacing-lane.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const { signal } = new AbortController();

function laneWith(gate: Partial<LaneGate> = {}): PacingLane {
  return new PacingLane({
    callsPerSecond: 100,
    grants: new LocalGrants(paceOf(100, 10)),
    gate: { onChange: () => {}, dueMs: (nowMs) => nowMs, admit: () => 'place', ...gate },
  });
}

it('starts calls at the rate that it has learnt', async () => {
  const lane = laneWith();
  const starts: number[] = [];
  const takeOne = async (): Promise<void> => {
    await lane.take({ priority: 'normal', signal });
    starts.push(performance.now());
  };
  const firstTen = Promise.all(Array.from({ length: 10 }, takeOne));
  await vi.advanceTimersByTimeAsync(200);
  await firstTen;
  lane.refused(starts.at(-1)!);
  // A quarter of the 100 is the most that one refusal takes away.
  expect(lane.callsPerSecond).toBeCloseTo(25);
  starts.length = 0;
  const nextFive = Promise.all(Array.from({ length: 5 }, takeOne));
  await vi.advanceTimersByTimeAsync(300);
  await nextFive;
  const gaps = starts.slice(1).map((startMs, index) => startMs - starts[index]!);
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(40);
  expect(vi.getTimerCount()).toBe(0);
});

it('starts nothing for as long as the service asks, up to a minute', async () => {
  const lane = laneWith();
  lane.refused(performance.now(), 1_000);
  const started = vi.fn<(admission: string) => void>();
  void lane.take({ priority: 'normal', signal }).then(started);
  await vi.advanceTimersByTimeAsync(999);
  expect(started).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(10);
  expect(started).toHaveBeenCalledWith('place');
  lane.refused(performance.now(), 3_600_000);
  const startedAgain = vi.fn<(admission: string) => void>();
  void lane.take({ priority: 'normal', signal }).then(startedAgain);
  await vi.advanceTimersByTimeAsync(60_100);
  expect(startedAgain).toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(0);
});

it('waits without a timer for a gate that does not know when it opens', async () => {
  let isOpen = false;
  let tell = (): void => {};
  const lane = laneWith({
    dueMs: (nowMs) => (isOpen ? nowMs : Infinity),
    onChange: (listener) => {
      tell = listener;
    },
  });
  const started = vi.fn<(admission: string) => void>();
  void lane.take({ priority: 'normal', signal }).then(started);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(vi.getTimerCount()).toBe(0);
  expect(started).not.toHaveBeenCalled();
  isOpen = true;
  tell();
  await vi.advanceTimersByTimeAsync(20);
  expect(started).toHaveBeenCalledTimes(1);
  expect(lane.waiting).toBe(0);
});
