import { seededNumbers } from '@art/tooling/seeded-numbers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeRuntime, failure, type FakeCall } from './fake-runtime.fixture.ts';
import { PacedRuntime } from './paced-runtime.ts';
import type { PacedRuntimeOptions } from './paced-runtime-options.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  expect(vi.getTimerCount(), 'timers left behind').toBe(0);
  vi.useRealTimers();
});

/** True if a service takes a call. */
type Limit = (call: FakeCall) => boolean;

function tokenBucket(perSecond: number, counts: Limit = () => true): Limit {
  let tokens = perSecond;
  let filledAtMs = performance.now();
  return (call) => {
    if (!counts(call)) return true;
    const nowMs = performance.now();
    tokens = Math.min(perSecond, tokens + ((nowMs - filledAtMs) / 1_000) * perSecond);
    filledAtMs = nowMs;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}

function slidingSecond(perSecond: number): Limit {
  const takenMs: number[] = [];
  return () => {
    const nowMs = performance.now();
    while (nowMs - takenMs[0]! >= 1_000) takenMs.shift();
    if (takenMs.length >= perSecond) return false;
    takenMs.push(nowMs);
    return true;
  };
}

const sleep = async (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

interface Scenario {
  limits: Limit[];
  client: PacedRuntimeOptions;
  rollouts?: number;
  latencyMs?: number;
  /** Until a session that is new answers: AgentCore has to start a machine, but refuses at once. */
  coldStartMs?: number;
  runMs?: number;
}

/** All rollouts at once: invoke, work, stop. */
async function runRollouts(scenario: Scenario) {
  const { limits, client, rollouts = 500, latencyMs = 50, coldStartMs = latencyMs, runMs = 2_000 } = scenario;
  const live = new Set<string>();
  const fake = new FakeRuntime(async (call) => {
    const isTaken = limits.every((takes) => takes(call));
    if (isTaken && call.operation === 'invoke') live.add(call.sessionId);
    await sleep(isTaken && call.operation === 'invoke' ? coldStartMs : latencyMs);
    if (!isTaken) throw failure(429);
    if (call.operation === 'stop') live.delete(call.sessionId);
  });
  using paced = new PacedRuntime(fake, { random: seededNumbers(1), ...client });
  const startedMs = performance.now();
  let endedMs: number | undefined;
  const all = Array.from({ length: rollouts }, async (_, index) => {
    await paced.invoke({ sessionId: `session-${index}`, body: '{}' });
    await sleep(runMs);
    await paced.stop(`session-${index}`);
  });
  void Promise.all(all).then(() => (endedMs = performance.now()));
  for (let step = 0; step < 3_000 && endedMs === undefined; step += 1) await vi.advanceTimersByTimeAsync(100);
  const count = (operation: FakeCall['operation']): number =>
    fake.calls.filter((call) => call.operation === operation).length;
  return {
    wallMs: (endedMs ?? Infinity) - startedMs,
    invokesPerRollout: count('invoke') / rollouts,
    stopsPerRollout: count('stop') / rollouts,
    sessionsLeft: live.size,
  };
}

const unknowing: PacedRuntimeOptions = { newSessionsPerSecond: 100 };

describe('a service that allows 25 calls a second, invocations and stops together', () => {
  // 1,000 calls, 25 of them saved up. A client that is set to 25 and 25 needs 40.8 s.
  const leastMs = (975 / 25) * 1_000;

  it.each<[string, Partial<Scenario>]>([
    ['over loopback', { latencyMs: 2 }],
    ['far away', { latencyMs: 200 }],
    ['with rollouts that all run at once', { runMs: 20_000 }],
    ['with machines that take 5 s to start', { coldStartMs: 5_000 }],
    ['by a client with the real defaults', { client: {} }],
    ['by a client set to 1,000', { client: { newSessionsPerSecond: 1_000, dataPlanePerSecond: 1_000 } }],
  ])('is used as if it were known, %s', async (_, variant) => {
    const limits = [tokenBucket(25)];
    const learnt = await runRollouts({ limits, client: unknowing, ...variant });
    expect(learnt.wallMs).toBeLessThan(leastMs * 1.1);
    expect(learnt.invokesPerRollout).toBeLessThanOrEqual(1.15);
    expect(learnt.stopsPerRollout).toBeLessThanOrEqual(1.15);
    expect(learnt.sessionsLeft).toBe(0);
  });

  it('is used nearly as well where nothing is saved up', async () => {
    const learnt = await runRollouts({ limits: [slidingSecond(25)], client: unknowing });
    expect(learnt.wallMs).toBeLessThan(40_000 * 1.1);
    expect(learnt.invokesPerRollout).toBeLessThanOrEqual(1.15);
    expect(learnt.sessionsLeft).toBe(0);
  });
});

describe('limits that are not shared', () => {
  const isInvoke: Limit = (call) => call.operation === 'invoke';

  it('new sessions learn theirs, and stops are not held up by it', async () => {
    const limits = [tokenBucket(1_000), tokenBucket(25, isInvoke)];
    const { wallMs, invokesPerRollout, stopsPerRollout } = await runRollouts({ limits, client: unknowing });
    expect(wallMs).toBeLessThan(1.15 * (475 / 25) * 1_000 + 2_000);
    expect(invokesPerRollout).toBeLessThan(1.15);
    expect(stopsPerRollout).toBe(1);
  });

  it('both are learnt where both are met', async () => {
    const limits = [tokenBucket(40), tokenBucket(25, isInvoke)];
    const { wallMs, sessionsLeft } = await runRollouts({ limits, client: unknowing });
    expect(wallMs).toBeLessThan(1.2 * (960 / 40) * 1_000);
    expect(sessionsLeft).toBe(0);
  });
});

it('2,000 living sessions that are asked 100 times a second take none of the budget of new ones', async () => {
  const fake = new FakeRuntime();
  using paced = new PacedRuntime(fake, { newSessionsPerSecond: 100 });
  const invoke = async (sessionId: string): Promise<unknown> => paced.invoke({ sessionId, body: '{}' });
  const open = Promise.all(Array.from({ length: 2_000 }, async (_, index) => invoke(`session-${index}`)));
  await vi.advanceTimersByTimeAsync(21_000);
  await open;
  fake.calls.length = 0;
  const questions: Promise<unknown>[] = [];
  const begun: Promise<unknown>[] = [];
  for (let tick = 0; tick < 100; tick += 1) {
    for (let n = 0; n < 10; n += 1) questions.push(invoke(`session-${tick * 10 + n}`));
    for (let n = 0; n < 9; n += 1) begun.push(invoke(`another-${tick * 10 + n}`));
    await vi.advanceTimersByTimeAsync(100);
  }
  await vi.advanceTimersByTimeAsync(500);
  await Promise.all([...questions, ...begun]);
  expect(fake.calls).toHaveLength(1_900);
});
