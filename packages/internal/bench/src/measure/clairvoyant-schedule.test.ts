import { expect, it } from 'vitest';
import { noLatency, usualLatency } from '../endpoint/endpoint-settings.ts';
import type { RolloutFate } from '../workload/plan-rollouts.ts';
import { clairvoyantWallMs } from './clairvoyant-schedule.ts';

const plan = (durationMs: number, fate: RolloutFate = 'succeeds') => ({ durationMs, fate });
const free = {
  latency: noLatency,
  maxConcurrentSessions: 100,
  tpsLimit: Infinity,
  timeoutMs: 900,
  consumerMs: 0,
};

it('waits for the longest where nothing limits it', () => {
  expect(clairvoyantWallMs([plan(10), plan(300), plan(20)], free)).toBe(300);
  expect(clairvoyantWallMs([plan(10), plan(300)], { ...free, latency: usualLatency })).toBe(50 + 300 + 20);
});

it('starts the next when a session is gone', () => {
  const latency = { ...noLatency, stopMs: 5 };
  const plans = [plan(100), plan(30), plan(40), plan(10)];
  // Two slots: the second is free at 35, then at 80.
  expect(clairvoyantWallMs(plans, { ...free, latency, maxConcurrentSessions: 2 })).toBe(100);
  expect(clairvoyantWallMs(plans, { ...free, latency, maxConcurrentSessions: 1 })).toBe(180 + 3 * 5);
});

it('keeps to the rate of new sessions', () => {
  const plans = Array.from({ length: 5 }, () => plan(1_000));
  expect(clairvoyantWallMs(plans, { ...free, tpsLimit: 2 })).toBe(2_000 + 1_000);
});

it('gives up what never ends at the deadline, and waits for a slow consumer', () => {
  expect(clairvoyantWallMs([plan(10, 'never_ends')], free)).toBe(900);
  expect(clairvoyantWallMs([plan(10), plan(10)], { ...free, consumerMs: 400 })).toBe(800);
});
