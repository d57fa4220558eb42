import { expect, it } from 'vitest';
import { LearntRate } from './learnt-rate.ts';

/** Starts a call whenever the rate allows until `untilMs`; the service takes the ones that it names. */
function drive(
  rate: LearntRate,
  fromMs: number,
  untilMs: number,
  takes: (atMs: number) => boolean,
): number[] {
  const startsMs: number[] = [];
  for (let nowMs = fromMs; nowMs < untilMs; nowMs += 1) {
    // No faster than the lane's own pace of 100 a second.
    if (nowMs - (startsMs.at(-1) ?? -Infinity) < 10 || rate.dueMs(nowMs) > nowMs) continue;
    rate.started(nowMs);
    startsMs.push(nowMs);
    if (takes(nowMs)) rate.accepted();
    else rate.refused(nowMs, nowMs);
  }
  return startsMs;
}

/** A service that takes so many a second, with one second's worth saved up. */
function tokenBucket(perSecond: () => number): (atMs: number) => boolean {
  let tokens = perSecond();
  let filledAtMs = 0;
  return (atMs) => {
    tokens = Math.min(perSecond(), tokens + ((atMs - filledAtMs) / 1_000) * perSecond());
    filledAtMs = atMs;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}

it('holds nothing up before the first refusal', () => {
  const rate = new LearntRate(100);
  expect(drive(rate, 0, 10_000, () => true)).toHaveLength(1_000);
  expect(rate.perSecond).toBe(100);
});

it.each([3, 10, 25, 60, 95])('keeps to %d a second of its 100, and uses nearly all of them', (perSecond) => {
  const rate = new LearntRate(100);
  const takes = tokenBucket(() => perSecond);
  let taken = 0;
  const starts = drive(rate, 0, 60_000, (atMs) => {
    const isTaken = takes(atMs);
    if (isTaken) taken += 1;
    return isTaken;
  });
  expect(taken).toBeGreaterThan(perSecond * 60 * 0.95);
  expect(starts.length - taken).toBeLessThan(10 + taken * 0.05);
});

it('follows a limit that falls and rises, back to its own', () => {
  const rate = new LearntRate(100);
  let perSecond = 25;
  const takes = tokenBucket(() => perSecond);
  drive(rate, 0, 20_000, takes);
  expect(rate.perSecond).toBeLessThan(30);
  perSecond = 10;
  drive(rate, 20_000, 40_000, takes);
  expect(rate.perSecond).toBeLessThan(12);
  perSecond = 1_000;
  drive(rate, 40_000, 70_000, takes);
  expect(rate.perSecond).toBe(100);
});

it('is asked once a second where nothing is taken at all, and is back at 40 half a minute later', () => {
  const rate = new LearntRate(100);
  drive(rate, 0, 5_000, () => true);
  expect(drive(rate, 10_000, 20_000, () => false).length).toBeLessThan(20);
  expect(rate.perSecond).toBeCloseTo(1);
  drive(rate, 20_000, 50_000, () => true);
  expect(rate.perSecond).toBeGreaterThan(40);
});

it('takes the refusals of calls that were under way for one message', () => {
  const rate = new LearntRate(100);
  for (let nowMs = 0; nowMs < 1_000; nowMs += 10) rate.started(nowMs);
  rate.refused(960, 1_000);
  const { perSecond } = rate;
  expect(perSecond).toBeGreaterThan(95 * 0.85);
  expect(perSecond).toBeLessThan(100 * 0.85);
  for (const startedMs of [970, 980, 990]) rate.refused(startedMs, 1_010);
  expect(rate.perSecond).toBe(perSecond);
});

it('does not take one refusal among few calls for more than it is', () => {
  const rate = new LearntRate(100);
  rate.started(0);
  rate.refused(0, 50);
  expect(rate.perSecond).toBeCloseTo(25);
});

it('remembers over a pause what it has learnt', () => {
  const rate = new LearntRate(100);
  drive(
    rate,
    0,
    10_000,
    tokenBucket(() => 25),
  );
  const { perSecond } = rate;
  rate.started(3_600_000);
  rate.accepted();
  expect(rate.perSecond).toBeLessThan(perSecond * 1.1);
});

it('keeps to a limit of less than one a second', () => {
  const rate = new LearntRate(0.5);
  rate.started(0);
  rate.refused(0, 1);
  expect(rate.perSecond).toBeCloseTo(0.5);
  rate.accepted();
  expect(rate.perSecond).toBe(0.5);
});
