import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LocalGrants } from './local-grants.ts';
import { localPace } from './pace.ts';
import { PacingLane, type LaneGate } from './pacing-lane.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const { signal } = new AbortController();

function laneWith(gate: Partial<LaneGate<string>> = {}): PacingLane<string> {
  const pace = localPace(100);
  return new PacingLane<string>({
    pace,
    grants: new LocalGrants(pace.intervalMs),
    gate: { onChange: () => {}, dueMs: (nowMs) => nowMs, admit: () => 'in', ...gate },
  });
}

it('is held longer for each refusal in a row, up to 5 s, and normally again after a success', () => {
  const lane = laneWith();
  const holds: number[] = [];
  for (let refusal = 0; refusal < 7; refusal += 1) {
    holds.push(lane.throttled());
    vi.advanceTimersByTime(holds.at(-1)!);
  }
  expect(holds).toEqual([250, 500, 1_000, 2_000, 4_000, 5_000, 5_000]);
  lane.accepted();
  expect(lane.throttled()).toBe(250);
});

it('takes refusals while it is held for one', () => {
  const lane = laneWith();
  expect(lane.throttled()).toBe(250);
  vi.advanceTimersByTime(100);
  expect(lane.throttled()).toBe(250);
  expect(lane.throttled(3_000)).toBe(3_000);
  expect(lane.throttled()).toBe(3_000);
});

it('starts nothing while it is held', async () => {
  const lane = laneWith();
  lane.throttled(1_000);
  const started = vi.fn<(admission: string) => void>();
  void lane.take({ priority: 'normal', signal }).then(started);
  await vi.advanceTimersByTimeAsync(999);
  expect(started).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(10);
  expect(started).toHaveBeenCalledWith('in');
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
