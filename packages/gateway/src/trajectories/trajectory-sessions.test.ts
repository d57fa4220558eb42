import { describe, expect, expectTypeOf, it, vi } from 'vitest';
import type { CallsInFlight } from '../sessions/calls-in-flight.ts';
import type { TraceStore } from '../store/trace-store.ts';
import type { Trace } from '@art/trajectories';
import { scriptedTraces } from '@art/trajectories/testing';
import type { SessionCalls, TrajectoryStore } from './trajectory-ports.ts';
import { TrajectorySessions, type TrajectorySessionsOptions } from './trajectory-sessions.ts';

const [first, second] = scriptedTraces([
  { prompt: [1, 2], output: [3, 4] },
  { prompt: [1, 2, 3, 4, 5], output: [6] },
]) as [Trace, Trace];

class FakeStore implements TrajectoryStore {
  readonly sessions = new Map<
    string,
    { metadata: Readonly<Record<string, unknown>>; finished: boolean; traces: Trace[] }
  >();
  failure: Error | undefined;

  async createSession({
    sessionId,
    metadata = {},
  }: {
    sessionId: string;
    metadata?: Readonly<Record<string, unknown>> | undefined;
  }) {
    if (this.failure !== undefined) return Promise.reject(this.failure);
    this.sessions.set(sessionId, {
      metadata,
      finished: false,
      traces: this.sessions.get(sessionId)?.traces ?? [],
    });
    return Promise.resolve();
  }

  async session(sessionId: string) {
    const session = this.sessions.get(sessionId);
    if (session === undefined) return Promise.resolve(undefined);
    return Promise.resolve({ ...session, createdAtMs: 7, traceCount: session.traces.length });
  }

  async tracesOf(sessionId: string) {
    if (this.failure !== undefined) return Promise.reject(this.failure);
    return Promise.resolve([...(this.sessions.get(sessionId)?.traces ?? [])]);
  }

  async noteFinish(sessionId: string, metadata: Readonly<Record<string, unknown>>) {
    const session = this.sessions.get(sessionId);
    if (session !== undefined) session.metadata = metadata;
    return Promise.resolve();
  }

  async finishSession(sessionId: string) {
    const session = this.sessions.get(sessionId);
    if (session !== undefined) session.finished = true;
    return Promise.resolve();
  }

  async deleteSession(sessionId: string) {
    const count = this.sessions.get(sessionId)?.traces.length ?? 0;
    this.sessions.delete(sessionId);
    return Promise.resolve(count);
  }

  add(sessionId: string, ...traces: Trace[]): void {
    const session = this.sessions.get(sessionId) ?? { metadata: {}, finished: false, traces: [] };
    this.sessions.set(sessionId, session);
    session.traces.push(...traces.map((trace) => ({ ...trace, sessionId })));
  }
}

class FakeCalls implements SessionCalls {
  readonly idle = Promise.withResolvers<boolean>();
  waitedMs: number | undefined;
  inFlight = 0;
  readonly cancelSession = vi.fn<(sessionId: string) => void>();

  countOf(): number {
    return this.inFlight;
  }

  async sessionIdle(_sessionId: string, timeoutMs: number): Promise<boolean> {
    this.waitedMs = timeoutMs;
    return this.inFlight === 0 ? Promise.resolve(true) : this.idle.promise;
  }
}

function setUp(options: Partial<TrajectorySessionsOptions> = {}) {
  const store = new FakeStore();
  const calls = new FakeCalls();
  return { store, calls, sessions: new TrajectorySessions({ store, calls, ...options }) };
}

describe('TrajectorySessions', () => {
  it('goes from creation over turns to rows', async () => {
    const { store, sessions } = setUp();
    await sessions.create({
      sessionId: 's',
      rolloutId: 'r',
      groupId: 'g',
      maxContextTokens: 9,
      samplingDefaults: { top_k: 1 },
      metadata: { a: 1 },
    });
    expect(await sessions.admit('s')).toEqual({
      kind: 'admitted',
      limits: { maxContextTokens: 9, samplingDefaults: { top_k: 1 } },
    });
    store.add('s', first, second);
    expect(await sessions.status('s')).toEqual({
      sessionId: 's',
      state: 'open',
      turns: 2,
      leaves: 1,
      inFlight: 0,
      promptTokens: 7,
      completionTokens: 3,
      incompleteTurns: 0,
      rolloutId: 'r',
      groupId: 'g',
      createdAtMs: 7,
      maxTurns: undefined,
      maxContextTokens: 9,
      metadata: { a: 1 },
    });
    const { rows, unfinishedCalls } = await sessions.finish('s', { reward: 1, metadata: { b: 2 } });
    expect(unfinishedCalls).toBe(0);
    expect(rows).toMatchObject([
      { rollout_id: 'r', group_id: 'g', reward: 1, num_turns: 2, metadata: { a: 1, b: 2 } },
    ]);
    expect((await sessions.status('s')).state).toBe('finished');
    expect(store.sessions.get('s')?.finished).toBe(true);
  });

  it('gives the same rows again, whatever is asked for then and whatever came late', async () => {
    const { store, sessions } = setUp();
    await sessions.create({ sessionId: 's' });
    store.add('s', first);
    const results = await Promise.all([
      sessions.finish('s', { reward: 1 }),
      sessions.finish('s', { reward: 2 }),
    ]);
    store.add('s', second);
    expect(results[1]).toBe(results[0]);
    expect(await sessions.finish('s', { reward: 3, rolloutId: 'other' })).toBe(results[0]);
  });

  it('makes them anew once they are no longer kept, and says so once nothing is left', async () => {
    let now = 0;
    const { store, sessions } = setUp({ resultTtlMs: 10, now: () => now });
    store.add('s', first);
    const result = await sessions.finish('s', { reward: 1 });
    store.add('s', second);
    now = 11;
    const again = await sessions.finish('s', { reward: 2 });
    expect(again).not.toBe(result);
    expect(again).toEqual(result);
    store.failure = new Error('disk');
    now = 22;
    await expect(sessions.finish('s')).rejects.toThrow('disk');
    expect(await sessions.admit('s')).toMatchObject({ kind: 'refused', status: 410 });
    store.failure = undefined;
    store.sessions.get('s')!.traces.length = 0;
    await expect(sessions.finish('s')).rejects.toMatchObject({ code: 'ART_GATEWAY_SESSION_GONE' });
    await expect(sessions.admit('s')).resolves.toMatchObject({ kind: 'refused', status: 410 });
  });

  it('lets go of the oldest results where they are too many tokens together', async () => {
    const { store, sessions } = setUp({ maxResultTokens: 4 });
    store.add('a', first);
    store.add('b', first);
    const a = await sessions.finish('a');
    const b = await sessions.finish('b');
    expect(await sessions.finish('b')).toBe(b);
    expect(await sessions.finish('a')).not.toBe(a);
  });

  it('waits for calls under way, takes no new ones, and has those cancelled that take too long', async () => {
    const { store, calls, sessions } = setUp();
    store.add('s', first);
    calls.inFlight = 1;
    const finishing = sessions.finish('s', { waitTimeoutMs: 30 });
    await vi.waitFor(() => expect(calls.waitedMs).toBe(30));
    expect(await sessions.admit('s')).toMatchObject({ kind: 'refused', status: 409, type: 'session_closed' });
    expect((await sessions.status('s')).state).toBe('finishing');
    store.add('s', second);
    calls.idle.resolve(false);
    expect(await finishing).toMatchObject({ unfinishedCalls: 1, summary: { turns: 2 } });
    expect(calls.cancelSession).toHaveBeenCalledExactlyOnceWith('s');
    expect(await sessions.admit('s')).toMatchObject({ kind: 'refused', status: 410 });
  });

  it('can be finished again after the store failed', async () => {
    const { store, sessions } = setUp();
    store.add('s', first);
    await sessions.admit('s');
    store.failure = new Error('disk');
    await expect(sessions.finish('s')).rejects.toThrow('disk');
    store.failure = undefined;
    expect((await sessions.admit('s')).kind).toBe('admitted');
    expect((await sessions.finish('s')).rows).toHaveLength(1);
  });

  it('counts turns', async () => {
    const { sessions } = setUp();
    await sessions.create({ sessionId: 's', maxTurns: 2 });
    const kinds = [await sessions.admit('s'), await sessions.admit('s'), await sessions.admit('s')];
    expect(kinds).toMatchObject([
      { kind: 'admitted' },
      { kind: 'admitted' },
      { kind: 'refused', status: 429 },
    ]);
    expect(kinds[2]).toMatchObject({
      type: 'rate_limit_error',
      message: expect.stringContaining('2 turns') as string,
    });
  });

  it('does not count a turn that failed', async () => {
    const { sessions } = setUp();
    await sessions.create({ sessionId: 's', maxTurns: 1 });
    await sessions.admit('s');
    sessions.failed('s');
    expect((await sessions.admit('s')).kind).toBe('admitted');
    expect((await sessions.admit('s')).kind).toBe('refused');
    sessions.failed('nobody');
  });

  it('shows what the rows would be, and closes nothing by that', async () => {
    const { store, sessions } = setUp();
    await sessions.create({ sessionId: 's', maxContextTokens: 4 });
    store.add('s', first);
    expect((await sessions.rows('s')).rows).toMatchObject([{ reward: null, token_ids: [1, 2, 3, 4] }]);
    store.add('s', second);
    const { rows } = await sessions.finish('s', { reward: 1 });
    // Longer than the context may be: cut.
    expect(rows).toMatchObject([{ token_ids: [1, 2, 3, 4], status: 'truncated', reward: 1 }]);
    expect((await sessions.rows('s')).rows).toEqual(rows);
    await expect(sessions.rows('nobody')).rejects.toMatchObject({ code: 'ART_GATEWAY_SESSION_UNKNOWN' });
  });

  it('remembers over a restart what was created, taken and finished', async () => {
    const { store, calls, sessions } = setUp();
    await sessions.create({ sessionId: 's', rolloutId: 'r', maxTurns: 1, metadata: { a: 1 } });
    store.add('s', first);
    const restarted = new TrajectorySessions({ store, calls });
    expect(await restarted.admit('s')).toMatchObject({ kind: 'refused', status: 429 });
    await expect(restarted.create({ sessionId: 's' })).rejects.toMatchObject({
      code: 'ART_GATEWAY_SESSION_EXISTS',
    });
    const { rows } = await restarted.finish('s', { reward: 1 });
    expect(rows).toMatchObject([{ rollout_id: 'r', metadata: { a: 1 } }]);
    expect(rows[0]?.metadata).not.toHaveProperty('art_trajectory');
    const again = new TrajectorySessions({ store, calls });
    expect(await again.admit('s')).toMatchObject({ kind: 'refused', status: 410 });
    // Whatever is asked for then: it was finished with a reward of 1.
    expect((await again.finish('s', { reward: 2, rolloutId: 'other' })).rows).toEqual(rows);
    expect((await again.status('s')).createdAtMs).toBe(7);
  });

  it('drops for good, until it is created again', async () => {
    const { store, sessions } = setUp();
    store.add('s', first, second);
    await sessions.finish('s');
    expect([await sessions.drop('s'), await sessions.drop('s')]).toEqual([2, 0]);
    expect(await sessions.admit('s')).toMatchObject({ kind: 'refused', status: 410 });
    await expect(sessions.finish('s')).rejects.toMatchObject({ code: 'ART_GATEWAY_SESSION_UNKNOWN' });
    await expect(sessions.status('s')).rejects.toMatchObject({ code: 'ART_GATEWAY_SESSION_UNKNOWN' });
    await sessions.create({ sessionId: 's' });
    expect((await sessions.admit('s')).kind).toBe('admitted');
  });

  it('stays dropped when it is dropped while it finishes', async () => {
    const { store, calls, sessions } = setUp();
    store.add('s', first);
    calls.inFlight = 1;
    const finishing = sessions.finish('s');
    await vi.waitFor(() => expect(calls.waitedMs).toBeDefined());
    await sessions.drop('s');
    calls.idle.resolve(true);
    await finishing;
    await expect(sessions.finish('s')).rejects.toMatchObject({ code: 'ART_GATEWAY_SESSION_UNKNOWN' });
  });

  it('is created once; a session that an agent opened becomes one with its turns', async () => {
    const { store, sessions } = setUp();
    store.add('s', first);
    await sessions.admit('s');
    const creating = [
      sessions.create({ sessionId: 's', rolloutId: 'r' }),
      sessions.create({ sessionId: 's' }),
    ];
    expect((await Promise.allSettled(creating)).map((result) => result.status)).toEqual([
      'fulfilled',
      'rejected',
    ]);
    expect(await sessions.status('s')).toMatchObject({ turns: 1, rolloutId: 'r' });
    await sessions.finish('s');
    await expect(sessions.create({ sessionId: 's' })).rejects.toMatchObject({
      code: 'ART_GATEWAY_SESSION_EXISTS',
    });
  });

  it('leaves nothing behind of a creation that failed', async () => {
    const { store, sessions } = setUp();
    store.failure = new Error('disk');
    await expect(sessions.create({ sessionId: 's' })).rejects.toThrow('disk');
    store.failure = undefined;
    await sessions.create({ sessionId: 's' });
  });

  it('admits sessions that it does not know, and knows no rows of them', async () => {
    const { sessions } = setUp();
    expect((await sessions.admit('new')).kind).toBe('admitted');
    await expect(sessions.finish('new')).rejects.toMatchObject({ code: 'ART_GATEWAY_SESSION_UNKNOWN' });
    await expect(sessions.status('new')).rejects.toMatchObject({ code: 'ART_GATEWAY_SESSION_UNKNOWN' });
  });

  it('lets go of what was deleted elsewhere, and of what it has no room for', async () => {
    const { store, sessions } = setUp({ maxSessions: 1 });
    await sessions.create({ sessionId: 'a', maxTurns: 1 });
    await sessions.create({ sessionId: 'b' });
    await sessions.admit('b');
    // Read from the store again, where no turn of it is stored.
    expect((await sessions.admit('a')).kind).toBe('admitted');
    await store.deleteSession('a');
    sessions.forget(['a']);
    await expect(sessions.status('a')).rejects.toMatchObject({ code: 'ART_GATEWAY_SESSION_UNKNOWN' });
  });

  it.each([
    [{ sessionId: 's', forkThresholdTokens: -1 }, 'forkThresholdTokens'],
    [{ sessionId: 's', rolloutId: '' }, 'rolloutId'],
  ])('refuses to create %j', async (init, option) => {
    const { store, sessions } = setUp();
    await expect(sessions.create(init)).rejects.toThrow(`Expected \`${option}\``);
    expect(store.sessions.size).toBe(0);
  });

  it('refuses to finish with a reward that is none, and stays open', async () => {
    const { store, sessions } = setUp();
    store.add('s', first);
    await expect(sessions.finish('s', { reward: Number.NaN })).rejects.toMatchObject({
      code: 'ART_INVALID_OPTION',
    });
    expect((await sessions.admit('s')).kind).toBe('admitted');
  });

  it('takes a trace store and the calls of the gateway as they are', () => {
    expectTypeOf<TraceStore>().toExtend<Omit<TrajectoryStore, 'noteFinish'>>();
    expectTypeOf<CallsInFlight>().toExtend<SessionCalls>();
  });

  it('refuses options of its own that make no sense', () => {
    expect(() => setUp({ resultTtlMs: -1 })).toThrow(/resultTtlMs/);
    expect(() => setUp({ trajectory: { mode: 'x' as never } })).toThrow(/mode/);
  });
});
