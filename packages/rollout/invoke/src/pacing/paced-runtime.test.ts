import { classifyRuntimeFailure, type AgentRuntime, type RuntimeEvent } from '@art/protocol';
import { afterEach, beforeEach, describe, expect, expectTypeOf, it, vi } from 'vitest';
import { FakeRuntime, failure, mostInWindow, type FakeCall } from './fake-runtime.fixture.ts';
import { PacedRuntime } from './paced-runtime.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  expect(vi.getTimerCount(), 'timers left behind').toBe(0);
  vi.useRealTimers();
});

const body = '{}';
const times = (calls: readonly FakeCall[]): number[] => calls.map((call) => call.atMs);

/** Follows a promise without waiting for it. */
function settled(promise: Promise<unknown>): { value?: unknown; error?: unknown; isSettled: boolean } {
  const state: { value?: unknown; error?: unknown; isSettled: boolean } = { isSettled: false };
  promise.then(
    (value) => Object.assign(state, { value, isSettled: true }),
    (error: unknown) => Object.assign(state, { error, isSettled: true }),
  );
  return state;
}

async function invokeMany(runtime: AgentRuntime, count: number, name = 'session'): Promise<unknown[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, index) =>
      runtime.invoke({ sessionId: `${name}-${index}`, body }),
    ),
  );
}

describe('pace', () => {
  it('starts 25 sessions a second evenly: no second holds more than 26, a long run keeps 24', async () => {
    const fake = new FakeRuntime();
    using paced = new PacedRuntime(fake);
    expectTypeOf(paced).toExtend<AgentRuntime>();
    const all = settled(invokeMany(paced, 250));
    await vi.advanceTimersByTimeAsync(10_000);
    const starts = times(fake.calls);
    expect(mostInWindow(starts, 1000)).toBeLessThanOrEqual(26);
    expect(mostInWindow(starts, 100)).toBeLessThanOrEqual(3);
    expect(starts.length).toBeGreaterThanOrEqual(240);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(all.isSettled).toBe(true);
  });

  it('lets calls to sessions that are open go at the rate of all calls', async () => {
    const fake = new FakeRuntime();
    using paced = new PacedRuntime(fake, { newSessionsPerSecond: 1, dataPlanePerSecond: 1000 });
    const first = paced.invoke({ sessionId: 'known', body });
    await vi.advanceTimersByTimeAsync(100);
    await first;
    fake.calls.length = 0;
    const rest = settled(
      Promise.all(Array.from({ length: 3000 }, async () => paced.invoke({ sessionId: 'known', body }))),
    );
    await vi.advanceTimersByTimeAsync(3_000);
    expect(mostInWindow(times(fake.calls), 1000)).toBeLessThanOrEqual(1000);
    expect(fake.calls.length).toBeGreaterThanOrEqual(2_900);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(rest.isSettled).toBe(true);
  });

  it('takes a stopped session for a new one', async () => {
    const fake = new FakeRuntime();
    using paced = new PacedRuntime(fake, { newSessionsPerSecond: 1 });
    for (const call of [
      async () => paced.invoke({ sessionId: 'a', body }),
      async () => paced.stop('a'),
      async () => paced.invoke({ sessionId: 'a', body }),
    ]) {
      const done = call();
      await vi.advanceTimersByTimeAsync(1_100);
      await done;
    }
    const [first, stop, again] = times(fake.calls);
    expect(stop! - first!).toBeLessThan(1_200);
    expect(again! - first!).toBeGreaterThanOrEqual(1_000);
  });

  it('shares the budgets of a key among clients, and frees them with the last', async () => {
    const fake = new FakeRuntime();
    const clients = Array.from({ length: 4 }, () => new PacedRuntime(fake, { sharedKey: 'account' }));
    const all = settled(
      Promise.all(clients.map(async (client, index) => invokeMany(client, 60, `c${index}`))),
    );
    await vi.advanceTimersByTimeAsync(5_000);
    expect(mostInWindow(times(fake.calls), 1000)).toBeLessThanOrEqual(26);
    await vi.advanceTimersByTimeAsync(6_000);
    expect(all.isSettled).toBe(true);
    for (const client of clients) client.close();
    new PacedRuntime(fake, { sharedKey: 'account', newSessionsPerSecond: 50 }).close();
  });

  it('refuses other rates for a key that is in use', () => {
    using paced = new PacedRuntime(new FakeRuntime(), { sharedKey: 'busy' });
    expect(paced.waiting).toEqual({ newSessions: 0, dataPlane: 0 });
    expect(() => new PacedRuntime(new FakeRuntime(), { sharedKey: 'busy', newSessionsPerSecond: 5 })).toThrow(
      expect.objectContaining({
        code: 'ART_INVALID_OPTION',
        message: expect.stringContaining('newSessionsPerSecond'),
      }),
    );
  });

  it('continues when the wall clock is set back', async () => {
    const fake = new FakeRuntime();
    using paced = new PacedRuntime(fake);
    const all = settled(invokeMany(paced, 10));
    await vi.advanceTimersByTimeAsync(100);
    vi.setSystemTime(Date.now() - 3_600_000);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(all.isSettled).toBe(true);
  });
});

describe('stops', () => {
  it('give way to invocations, but for no more than about two seconds', async () => {
    const fake = new FakeRuntime();
    using paced = new PacedRuntime(fake, { newSessionsPerSecond: 1000, dataPlanePerSecond: 20 });
    const all = settled(
      Promise.all([
        invokeMany(paced, 200),
        ...Array.from({ length: 20 }, async (_, index) => paced.stop(`stop-${index}`)),
      ]),
    );
    await vi.advanceTimersByTimeAsync(12_000);
    expect(all.isSettled).toBe(true);
    const stops = fake.calls.filter((call) => call.operation === 'stop');
    const started = fake.calls[0]!.atMs;
    // The first call of an idle budget goes at once, whatever it is.
    const waited = stops.filter((call) => call.atMs - started > 100);
    expect(waited[0]!.atMs - started).toBeGreaterThanOrEqual(1_900);
    expect(waited[0]!.atMs - started).toBeLessThan(2_200);
    // From then on every second call, so all of them within twice their number.
    expect(stops.at(-1)!.atMs - started).toBeLessThan(2_200 + 20 * 2 * 52);
    const order = fake.calls.slice(fake.calls.indexOf(waited[0]!), -1).map((call) => call.operation);
    expect(order.slice(0, 6)).toEqual(['stop', 'invoke', 'stop', 'invoke', 'stop', 'invoke']);
  });

  it('are sent again after whatever may pass, for as long as it takes', async () => {
    const failures = [failure(409), failure(429), ...Array.from({ length: 40 }, () => failure(503))];
    const fake = new FakeRuntime(() => failures.shift());
    using paced = new PacedRuntime(fake, { maxRetryAttempts: 0 });
    const stop = settled(paced.stop('s'));
    await vi.advanceTimersByTimeAsync(900_000);
    expect(stop.value).toEqual({ kind: 'stopped' });
    expect(fake.calls).toHaveLength(43);
  });

  it('end with their signal', async () => {
    const fake = new FakeRuntime(() => failure(503));
    using paced = new PacedRuntime(fake);
    const controller = new AbortController();
    const stop = settled(paced.stop('s', { signal: controller.signal }));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(stop.isSettled).toBe(false);
    controller.abort('enough');
    await vi.advanceTimersByTimeAsync(0);
    expect(stop.error).toBe('enough');
  });

  it('give up at once where it is hopeless', async () => {
    const denied = new FakeRuntime(() => failure(403));
    using pacedDenied = new PacedRuntime(denied);
    const deniedStop = settled(pacedDenied.stop('s'));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(deniedStop.error).toMatchObject({ code: 'ART_RUNTIME_REJECTED' });
    expect(denied.calls).toHaveLength(1);
  });
});

describe('retries of invocations', () => {
  it.each([
    ['5xx', failure(503)],
    ['a broken connection', failure()],
    ['424', failure(424)],
    ['403', failure(403)],
  ])('are not made after %s', async (_, error) => {
    const fake = new FakeRuntime(() => error);
    using paced = new PacedRuntime(fake);
    const call = settled(paced.invoke({ sessionId: 's', body }));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(call.error).toBe(error);
    expect(fake.calls).toHaveLength(1);
  });

  it.each([429, 409])('are made %s times out of maxRetryAttempts, each from both budgets', async (status) => {
    const events: RuntimeEvent[] = [];
    const fake = new FakeRuntime(() => failure(status));
    using paced = new PacedRuntime(fake, {
      maxRetryAttempts: 3,
      random: () => 0.5,
      onEvent: (event) => events.push(event),
    });
    const call = settled(paced.invoke({ sessionId: 's', body }));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(call.error).toMatchObject({ httpStatus: status });
    expect(fake.calls).toHaveLength(4);
    const retries = events.filter((event) => event.type === 'retry');
    expect(retries).toMatchObject([
      { operation: 'invoke', sessionId: 's', attempt: 1, delayMs: 250 },
      { attempt: 2, delayMs: 500 },
      { attempt: 3, delayMs: 1000 },
    ]);
    expect(events.some((event) => event.type === 'throttled')).toBe(status === 429);
  });

  it('wait for as long as the service asks', async () => {
    const answers = [failure(429, 7_000)];
    const fake = new FakeRuntime(() => answers.shift());
    using paced = new PacedRuntime(fake, { random: () => 0 });
    const call = settled(paced.invoke({ sessionId: 's', body }));
    const other = settled(paced.invoke({ sessionId: 'other', body }));
    await vi.advanceTimersByTimeAsync(8_000);
    expect(call.isSettled && other.isSettled).toBe(true);
    const [refused, next] = times(fake.calls);
    expect(next! - refused!).toBeGreaterThanOrEqual(7_000);
  });

  it('go on through a storm, unless they are bounded', async () => {
    let refusals = 40;
    const fake = new FakeRuntime(() => (refusals-- > 0 ? failure(429) : undefined));
    using paced = new PacedRuntime(fake);
    const call = settled(paced.invoke({ sessionId: 's', body }));
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(call.value).toMatchObject({ body: '{"status":"processing"}' });
    expect(fake.calls).toHaveLength(41);
  });
});

describe('quota (402)', () => {
  /** A service with room for `limit` sessions. */
  function serviceFor(limit: number): { fake: FakeRuntime; live: Set<string>; refusals: () => number } {
    const live = new Set<string>();
    let refused = 0;
    const fake = new FakeRuntime((call) => {
      if (call.operation === 'stop') live.delete(call.sessionId);
      else if (live.size >= limit && !live.has(call.sessionId)) {
        refused += 1;
        return failure(402);
      } else live.add(call.sessionId);
      return undefined;
    });
    return { fake, live, refusals: () => refused };
  }

  it('lets in one session for each that ends, with hardly a refusal, and tells', async () => {
    const events: RuntimeEvent[] = [];
    const { fake, live, refusals } = serviceFor(10);
    using paced = new PacedRuntime(fake, { maxRetryAttempts: 0, onEvent: (event) => events.push(event) });
    const rollouts = Array.from({ length: 100 }, async (_, index) => {
      await paced.invoke({ sessionId: `r-${index}`, body });
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      await paced.stop(`r-${index}`);
    });
    const all = settled(Promise.all(rollouts));
    let most = 0;
    for (let second = 0; second < 25; second += 1) {
      await vi.advanceTimersByTimeAsync(1_000);
      most = Math.max(most, live.size);
    }
    // 100 rollouts of 2 s, 10 at a time: 20 s at best.
    expect(all).toEqual({ isSettled: true, value: expect.anything() });
    expect(most).toBe(10);
    expect(refusals()).toBeLessThan(20);
    expect(events.find((event) => event.type === 'quota_paused')).toMatchObject({ probeInMs: 1_000 });
    expect(events.filter((event) => event.type === 'retry')).toEqual([]);
  });

  it('finds out by itself when sessions of others have ended', async () => {
    const events: RuntimeEvent[] = [];
    const { fake, live } = serviceFor(1);
    live.add('of somebody else');
    using paced = new PacedRuntime(fake, { onEvent: (event) => events.push(event) });
    const call = settled(invokeMany(paced, 1));
    await vi.advanceTimersByTimeAsync(20_000);
    expect(call.isSettled).toBe(false);
    // Probes after 1, 2, 4, 8 ... seconds, not more often.
    expect(fake.calls).toHaveLength(5);
    live.clear();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(call.isSettled).toBe(true);
    expect(events.map((event) => event.type)).toEqual(['quota_paused', 'quota_resumed']);
  });

  it('takes a session that was let in and did not start for room', async () => {
    const events: RuntimeEvent[] = [];
    const serviceMessage = 'Runtime initialization time exceeded.';
    const unstarted = classifyRuntimeFailure({ operation: 'Invoke', httpStatus: 424, serviceMessage });
    const answers = [failure(402), unstarted];
    const fake = new FakeRuntime(() => answers.shift());
    using paced = new PacedRuntime(fake, { onEvent: (event) => events.push(event) });
    const call = settled(paced.invoke({ sessionId: 's', body }));
    await vi.advanceTimersByTimeAsync(1_100);
    expect(call.error).toBe(unstarted);
    expect(events.map((event) => event.type)).toEqual(['quota_paused', 'quota_resumed']);
  });

  it('holds new sessions only', async () => {
    const { fake, live } = serviceFor(1);
    using paced = new PacedRuntime(fake);
    const first = settled(paced.invoke({ sessionId: 'open', body }));
    await vi.advanceTimersByTimeAsync(100);
    expect(first.isSettled).toBe(true);
    const controller = new AbortController();
    const refused = settled(paced.invoke({ sessionId: 'new', body }, { signal: controller.signal }));
    await vi.advanceTimersByTimeAsync(100);
    const again = settled(paced.invoke({ sessionId: 'open', body }));
    await vi.advanceTimersByTimeAsync(100);
    expect(again.isSettled).toBe(true);
    expect(refused.isSettled).toBe(false);
    expect(live.size).toBe(1);
    controller.abort('enough');
    await vi.advanceTimersByTimeAsync(0);
    expect(refused.error).toBe('enough');
  });

  it.each([0, 5_000])('gives up after quotaWaitMs = %s with the refusal', async (quotaWaitMs) => {
    const { fake, live } = serviceFor(1);
    live.add('of somebody else');
    using paced = new PacedRuntime(fake, { quotaWaitMs });
    const startedAt = performance.now();
    let endedAt = 0;
    const call = settled(
      paced.invoke({ sessionId: 's', body }).finally(() => {
        endedAt = performance.now();
      }),
    );
    await vi.advanceTimersByTimeAsync(60_000);
    expect(call.error).toMatchObject({ code: 'ART_RUNTIME_QUOTA' });
    expect(endedAt - startedAt).toBeGreaterThanOrEqual(quotaWaitMs);
    expect(endedAt - startedAt).toBeLessThan(quotaWaitMs + 100);
  });
});

describe('what has not left', () => {
  it('is told as the wrapped runtime tells it; what waits for its turn has not left', async () => {
    const fake = new FakeRuntime();
    const left: string[] = [];
    const telling: AgentRuntime = {
      tellsLeaving: true,
      invoke: async (request, options) => {
        options?.onLeaving?.();
        return fake.invoke(request, options);
      },
      stop: async (sessionId) => fake.stop(sessionId),
    };
    using paced = new PacedRuntime(telling, { newSessionsPerSecond: 1 });
    expect([paced.tellsLeaving, new PacedRuntime(fake).tellsLeaving]).toEqual([true, false]);
    const controller = new AbortController();
    const calls = ['a', 'b'].map((sessionId) =>
      settled(
        paced.invoke(
          { sessionId, body },
          { signal: controller.signal, onLeaving: () => left.push(sessionId) },
        ),
      ),
    );
    await vi.advanceTimersByTimeAsync(100);
    controller.abort(new Error('enough'));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(calls.map((call) => call.isSettled)).toEqual([true, true]);
    expect(left).toEqual(['a']);
  });

  it.each([429, 402])(
    'tells that a send was refused with %d, and that nothing is on its way',
    async (status) => {
      const told: string[] = [];
      const fake = new FakeRuntime(() => (told.includes('refused') ? undefined : failure(status)));
      using paced = new PacedRuntime(fake);
      const call = settled(paced.invoke({ sessionId: 'a', body }, { onRefused: () => told.push('refused') }));
      await vi.advanceTimersByTimeAsync(60_000);
      expect(call.isSettled).toBe(true);
      expect(told).toEqual(['refused']);
    },
  );
});

describe('abort and close', () => {
  it('a waiting call leaves the queue at once and costs nothing', async () => {
    const fake = new FakeRuntime();
    using paced = new PacedRuntime(fake, { newSessionsPerSecond: 1 });
    const first = settled(paced.invoke({ sessionId: 'a', body }));
    const controller = new AbortController();
    const reason = new Error('changed my mind');
    const aborted = settled(paced.invoke({ sessionId: 'b', body }, { signal: controller.signal }));
    const last = settled(paced.invoke({ sessionId: 'c', body }));
    await vi.advanceTimersByTimeAsync(200);
    controller.abort(reason);
    await vi.advanceTimersByTimeAsync(0);
    expect(aborted.error).toBe(reason);
    expect(paced.waiting.newSessions).toBe(1);
    await vi.advanceTimersByTimeAsync(1_100);
    expect(first.isSettled && last.isSettled).toBe(true);
    expect(fake.calls.map((call) => call.sessionId)).toEqual(['a', 'c']);
  });

  it('a call is aborted between two attempts and while it is under way', async () => {
    const never = new Promise(() => {});
    const fake = new FakeRuntime((call) => (call.sessionId === 'slow' ? never : failure(409)));
    using paced = new PacedRuntime(fake, { random: () => 0.99 });
    const controller = new AbortController();
    const calls = ['slow', 'refused'].map((sessionId) =>
      settled(paced.invoke({ sessionId, body }, { signal: controller.signal })),
    );
    await vi.advanceTimersByTimeAsync(100);
    controller.abort('stop it');
    await vi.advanceTimersByTimeAsync(0);
    expect(calls.map((call) => call.error)).toEqual(['stop it', 'stop it']);
  });

  it('a signal that has aborted already sends nothing', async () => {
    const fake = new FakeRuntime();
    using paced = new PacedRuntime(fake);
    await expect(paced.invoke({ sessionId: 's', body }, { signal: AbortSignal.abort('no') })).rejects.toBe(
      'no',
    );
    await expect(paced.stop('s', { signal: AbortSignal.abort('no') })).rejects.toBe('no');
    expect(fake.calls).toEqual([]);
  });

  it('close ends the calls of this client only, and tells its owner once', async () => {
    const fake = new FakeRuntime();
    const onClose = vi.fn<() => void>();
    const closed = new PacedRuntime(fake, { sharedKey: 'two', onClose });
    using open = new PacedRuntime(fake, { sharedKey: 'two' });
    const ended = Array.from({ length: 20 }, (_, index) =>
      settled(closed.invoke({ sessionId: `x-${index}`, body })),
    );
    const kept = settled(invokeMany(open, 5, 'kept'));
    closed.close();
    closed.close();
    await vi.advanceTimersByTimeAsync(1_000);
    for (const call of ended) expect(call.error).toMatchObject({ code: 'ART_CLOSED' });
    expect(kept.isSettled).toBe(true);
    expect(onClose).toHaveBeenCalledTimes(1);
    await expect(closed.invoke({ sessionId: 'y', body })).rejects.toMatchObject({ code: 'ART_CLOSED' });
    await expect(closed.stop('y')).rejects.toMatchObject({ code: 'ART_CLOSED' });
  });

  it('leaves no listener on a signal that many calls share', async () => {
    const fake = new FakeRuntime();
    using paced = new PacedRuntime(fake, { newSessionsPerSecond: 1000 });
    const { signal } = new AbortController();
    const add = vi.spyOn(signal, 'addEventListener');
    const remove = vi.spyOn(signal, 'removeEventListener');
    const all = settled(
      Promise.all(
        Array.from({ length: 200 }, async (_, index) =>
          paced.invoke({ sessionId: `s-${index}`, body }, { signal }),
        ),
      ),
    );
    await vi.advanceTimersByTimeAsync(2_000);
    expect(all.isSettled).toBe(true);
    expect(add).toHaveBeenCalledTimes(200);
    expect(remove).toHaveBeenCalledTimes(200);
  });

  it('needs no timer while nothing waits, closed or not', async () => {
    const paced = new PacedRuntime(new FakeRuntime(), { sharedKey: 'idle' });
    const all = settled(invokeMany(paced, 30));
    await vi.advanceTimersByTimeAsync(3_000);
    expect(all.isSettled).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
    paced.close();
  });

  it('a listener that throws disturbs nothing', async () => {
    const warning = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const answers = [failure(429)];
    using paced = new PacedRuntime(new FakeRuntime(() => answers.shift()), {
      onEvent: () => {
        throw new Error('in the display');
      },
    });
    const call = settled(paced.invoke({ sessionId: 's', body }));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(call.value).toBeDefined();
    expect(warning).toHaveBeenCalled();
  });
});

describe('options', () => {
  it.each([
    ['newSessionsPerSecond', { newSessionsPerSecond: 0 }],
    ['dataPlanePerSecond', { dataPlanePerSecond: Number.NaN }],
    ['maxRetryAttempts', { maxRetryAttempts: 1.5 }],
    ['quotaWaitMs', { quotaWaitMs: -1 }],
    ['sharedKey', { sharedKey: 'with space' }],
    ['onEvent', { onEvent: 'log' as never }],
    ['share', { sharedKey: 'k', share: { client: {}, processes: 2 } as never }],
    ['sharedKey', { share: { processes: 2, join: () => ({}) as never } }],
  ])('a bad %s is refused by name', (name, options) => {
    expect(() => new PacedRuntime(new FakeRuntime(), options)).toThrow(
      expect.objectContaining({ code: 'ART_INVALID_OPTION', message: expect.stringContaining(name) }),
    );
  });

  it('something that is no runtime is refused', () => {
    expect(() => new PacedRuntime({} as never)).toThrow(
      expect.objectContaining({ code: 'ART_INVALID_OPTION' }),
    );
  });
});
