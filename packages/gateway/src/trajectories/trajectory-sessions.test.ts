import { describe, expect, it, vi } from 'vitest';
import { CallsInFlight, type CancelCall } from '../sessions/calls-in-flight.ts';
import { SessionDirectory } from '../sessions/session-directory.ts';
import { MemoryTraceStore } from '../store/memory-trace-store.ts';
import type { Trace } from '@art/trajectories';
import { scriptedTraces } from '@art/trajectories/testing';
import { TrajectorySessions, type TrajectorySessionsOptions } from './trajectory-sessions.ts';

const [first, second] = scriptedTraces([
  { prompt: [1, 2], output: [3, 4] },
  { prompt: [1, 2, 3, 4, 5], output: [6] },
]) as [Trace, Trace];

function setUp(options: Partial<TrajectorySessionsOptions> = {}) {
  let nowMs = 7;
  const store = new MemoryTraceStore({ now: () => nowMs++ });
  const parts = { store, directory: new SessionDirectory(store), calls: new CallsInFlight(), ...options };
  let stored = 0;
  return {
    ...parts,
    sessions: new TrajectorySessions(parts),
    restart: () => new TrajectorySessions({ ...parts, directory: new SessionDirectory(store) }),
    add: (sessionId: string, ...traces: Trace[]) =>
      store.append(traces.map((trace) => ({ ...trace, sessionId, traceId: `t${stored++}` }))),
    /** Has the store fail until it is told to go on. */
    fail(method: 'tracesOf' | 'createSession' | 'finishSession') {
      return vi.spyOn(store, method).mockRejectedValue(new Error('disk'));
    },
  };
}

describe('TrajectorySessions', () => {
  it('goes from creation over turns to rows', async () => {
    const { store, sessions, add } = setUp();
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
    await add('s', first, second);
    const { createdAtMs, ...status } = await sessions.status('s');
    expect(status).toMatchObject({
      init: { sessionId: 's', rolloutId: 'r', groupId: 'g', maxContextTokens: 9, metadata: { a: 1 } },
      state: 'open',
      inFlight: 0,
      traces: [{}, {}],
      summary: { turns: 2, leaves: 1, sampledTokens: 3 },
    });
    const { rows, unfinishedCalls } = await sessions.finish('s', { reward: 1, metadata: { b: 2 } });
    expect(unfinishedCalls).toBe(0);
    expect(rows).toMatchObject([
      { rollout_id: 'r', group_id: 'g', reward: 1, num_turns: 2, metadata: { a: 1, b: 2 } },
    ]);
    expect(await sessions.status('s')).toMatchObject({ state: 'finished', createdAtMs });
    expect(await store.session('s')).toMatchObject({ finished: true, createdAtMs });
  });

  it('gives the same rows again, whatever is asked for then and whatever came late', async () => {
    const { sessions, add } = setUp();
    await sessions.create({ sessionId: 's' });
    await add('s', first);
    const results = await Promise.all([
      sessions.finish('s', { reward: 1 }),
      sessions.finish('s', { reward: 2 }),
    ]);
    await add('s', second);
    expect(results[1]).toBe(results[0]);
    expect(await sessions.finish('s', { reward: 3, rolloutId: 'other' })).toEqual(results[0]);
  });

  it('says so once nothing is left of what was finished', async () => {
    const { store, sessions, add, fail } = setUp();
    await add('s', first);
    await sessions.finish('s', { reward: 1 });
    const failing = fail('tracesOf');
    await expect(sessions.finish('s')).rejects.toThrow('disk');
    expect(await sessions.admit('s')).toMatchObject({ kind: 'refused', status: 410 });
    failing.mockRestore();
    await store.deleteSessions(['s']);
    await expect(sessions.finish('s')).rejects.toMatchObject({ code: 'ART_GATEWAY_SESSION_GONE' });
    await expect(sessions.admit('s')).resolves.toMatchObject({ kind: 'refused', status: 410 });
  });

  it('waits for calls under way, takes no new ones, and has those cancelled that take too long', async () => {
    const { calls, sessions, add } = setUp();
    await add('s', first);
    const cancel = vi.fn<CancelCall>();
    calls.enter('s', cancel);
    const waiting = vi.spyOn(calls, 'sessionIdle');
    const finishing = sessions.finish('s', { waitTimeoutMs: 30 });
    await vi.waitFor(() => expect(waiting).toHaveBeenCalledWith('s', 30), { interval: 0 });
    expect(await sessions.admit('s')).toMatchObject({ kind: 'refused', status: 409, type: 'session_closed' });
    expect((await sessions.status('s')).state).toBe('finishing');
    await add('s', second);
    expect(await finishing).toMatchObject({ unfinishedCalls: 1, summary: { turns: 2 } });
    expect(cancel).toHaveBeenCalledExactlyOnceWith('finished');
    expect(await sessions.admit('s')).toMatchObject({ kind: 'refused', status: 410 });
    expect(await sessions.finish('s')).toMatchObject({ unfinishedCalls: 1 });
  });

  it.each(['tracesOf', 'finishSession'] as const)(
    'can be finished again after the store failed at %s',
    async (method) => {
      const { sessions, add, fail } = setUp();
      await add('s', first);
      await sessions.admit('s');
      const failing = fail(method);
      await expect(sessions.finish('s')).rejects.toThrow('disk');
      failing.mockRestore();
      expect((await sessions.admit('s')).kind).toBe('admitted');
      expect((await sessions.finish('s')).rows).toHaveLength(1);
    },
  );

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
    const { sessions, add } = setUp();
    await sessions.create({ sessionId: 's', maxContextTokens: 4 });
    await add('s', first);
    expect((await sessions.rows('s')).rows).toMatchObject([{ reward: null, token_ids: [1, 2, 3, 4] }]);
    await add('s', second);
    const { rows } = await sessions.finish('s', { reward: 1 });
    // Longer than the context may be: cut.
    expect(rows).toMatchObject([{ token_ids: [1, 2, 3, 4], status: 'truncated', reward: 1 }]);
    expect((await sessions.rows('s')).rows).toEqual(rows);
    await expect(sessions.rows('nobody')).rejects.toMatchObject({ code: 'ART_GATEWAY_SESSION_UNKNOWN' });
  });

  it('remembers over a restart what was created, taken and finished', async () => {
    const { sessions, add, restart } = setUp();
    await sessions.create({ sessionId: 's', rolloutId: 'r', maxTurns: 1, metadata: { a: 1 } });
    const { createdAtMs } = await sessions.status('s');
    await add('s', first);
    const restarted = restart();
    expect(await restarted.admit('s')).toMatchObject({ kind: 'refused', status: 429 });
    await expect(restarted.create({ sessionId: 's' })).rejects.toMatchObject({
      code: 'ART_GATEWAY_SESSION_EXISTS',
    });
    const { rows } = await restarted.finish('s', { reward: 1 });
    expect(rows).toMatchObject([{ rollout_id: 'r', metadata: { a: 1 } }]);
    expect(rows[0]?.metadata).not.toHaveProperty('art_trajectory');
    const again = restart();
    expect(await again.admit('s')).toMatchObject({ kind: 'refused', status: 410 });
    // Whatever is asked for then: it was finished with a reward of 1.
    expect((await again.finish('s', { reward: 2, rolloutId: 'other' })).rows).toEqual(rows);
    expect((await again.status('s')).createdAtMs).toBe(createdAtMs);
  });

  it('drops for good, until it is created again', async () => {
    const { sessions, add } = setUp();
    await add('s', first, second);
    await sessions.finish('s');
    expect([await sessions.drop('s'), await sessions.drop('s')]).toEqual([2, 0]);
    expect(await sessions.admit('s')).toMatchObject({ kind: 'refused', status: 410 });
    await expect(sessions.finish('s')).rejects.toMatchObject({ code: 'ART_GATEWAY_SESSION_UNKNOWN' });
    await expect(sessions.status('s')).rejects.toMatchObject({ code: 'ART_GATEWAY_SESSION_UNKNOWN' });
    await sessions.create({ sessionId: 's' });
    expect((await sessions.admit('s')).kind).toBe('admitted');
  });

  it('stays dropped when it is dropped while it finishes', async () => {
    const { calls, sessions, add } = setUp();
    await add('s', first);
    const leave = calls.enter('s', () => undefined);
    const waiting = vi.spyOn(calls, 'sessionIdle');
    const finishing = sessions.finish('s');
    await vi.waitFor(() => expect(waiting).toHaveBeenCalled(), { interval: 0 });
    await sessions.drop('s');
    leave();
    await finishing;
    await expect(sessions.finish('s')).rejects.toMatchObject({ code: 'ART_GATEWAY_SESSION_UNKNOWN' });
  });

  it('is created once; a session that an agent opened becomes one with its turns', async () => {
    const { sessions, add } = setUp();
    await add('s', first);
    await sessions.admit('s');
    const creating = [
      sessions.create({ sessionId: 's', rolloutId: 'r' }),
      sessions.create({ sessionId: 's' }),
    ];
    expect((await Promise.allSettled(creating)).map((result) => result.status)).toEqual([
      'fulfilled',
      'rejected',
    ]);
    expect(await sessions.status('s')).toMatchObject({ traces: [{}], init: { rolloutId: 'r' } });
    await sessions.finish('s');
    await expect(sessions.create({ sessionId: 's' })).rejects.toMatchObject({
      code: 'ART_GATEWAY_SESSION_EXISTS',
    });
  });

  it('leaves nothing behind of a creation that failed', async () => {
    const { sessions, fail } = setUp();
    const failing = fail('createSession');
    await expect(sessions.create({ sessionId: 's' })).rejects.toThrow('disk');
    failing.mockRestore();
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
    await store.deleteSessions(['a']);
    sessions.forget('a');
    await expect(sessions.status('a')).rejects.toMatchObject({ code: 'ART_GATEWAY_SESSION_UNKNOWN' });
  });

  it.each([
    [{ sessionId: 's', forkThresholdTokens: -1 }, 'forkThresholdTokens'],
    [{ sessionId: 's', rolloutId: '' }, 'rolloutId'],
  ])('refuses to create %j', async (init, option) => {
    const { store, sessions } = setUp();
    await expect(sessions.create(init)).rejects.toThrow(`Expected \`${option}\``);
    expect(store.stats().sessions).toBe(0);
  });

  it('refuses to finish with a reward that is none, and stays open', async () => {
    const { sessions, add } = setUp();
    await add('s', first);
    await expect(sessions.finish('s', { reward: Number.NaN })).rejects.toMatchObject({
      code: 'ART_INVALID_OPTION',
    });
    expect((await sessions.admit('s')).kind).toBe('admitted');
  });
});
