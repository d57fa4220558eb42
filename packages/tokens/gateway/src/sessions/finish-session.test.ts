import { describe, expect, it, vi } from 'vitest';
import type { CancelCall } from './calls-in-flight.ts';
import { LiveSessions, type LiveSessionsOptions } from './live-sessions.ts';
import { finishSession, type FinishOptions, sessionRows, sessionStatus } from './finish-session.ts';
import { MemoryCaptureStore } from '../store/memory-capture-store.ts';
import type { Capture } from '@art/trajectories';
import type { Worker } from '../routing/worker.ts';
import { scriptedCaptures } from '@art/trajectories/testing';

const [first, second] = scriptedCaptures([
  { prompt: [1, 2], output: [3, 4] },
  { prompt: [1, 2, 3, 4, 5], output: [6] },
]) as [Capture, Capture];

/** The sessions of a store, as its routes and calls use them. */
function sessionsOf(store: MemoryCaptureStore, options: Partial<LiveSessionsOptions>) {
  const live = new LiveSessions({ store, ...options });
  const parts = { store, sessions: live };
  return {
    live,
    create: (init: Parameters<LiveSessions['createTrajectory']>[0]) => live.createTrajectory(init),
    status: (sessionId: string) => sessionStatus(parts, sessionId),
    rows: (sessionId: string) => sessionRows(parts, sessionId),
    finish: (sessionId: string, finish?: FinishOptions) => finishSession(parts, sessionId, finish),
    delete: (...sessionIds: string[]) => live.delete(sessionIds),
    /** The status of a call's refusal; 200 for one that is taken. */
    turn: async (sessionId: string) => (await live.enter(sessionId))?.takeTurn()?.status ?? 200,
  };
}

function setUp(options: Partial<LiveSessionsOptions> = {}) {
  let nowMs = 7;
  const store = new MemoryCaptureStore({ now: () => nowMs++ });
  let stored = 0;
  return {
    store,
    sessions: sessionsOf(store, options),
    restart: () => sessionsOf(store, options),
    add: (sessionId: string, ...captures: Capture[]) =>
      store.append(captures.map((capture) => ({ ...capture, sessionId, captureId: `t${stored++}` }))),
    /** Has the store fail until it is told to continue. */
    fail(method: 'capturesOf' | 'createSession' | 'finishSession') {
      return vi.spyOn(store, method).mockRejectedValue(new Error('disk'));
    },
  };
}

describe('a session', () => {
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
    expect(await sessions.turn('s')).toBe(200);
    await add('s', first, second);
    const { createdAtMs, ...status } = await sessions.status('s');
    expect(status).toMatchObject({
      init: { sessionId: 's', rolloutId: 'r', groupId: 'g', maxContextTokens: 9, metadata: { a: 1 } },
      state: 'open',
      inFlight: 0,
      captures: [{}, {}],
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
    const failing = fail('capturesOf');
    await expect(sessions.finish('s')).rejects.toThrow('disk');
    expect(await sessions.turn('s')).toBe(410);
    failing.mockRestore();
    await store.deleteSessions(['s']);
    await expect(sessions.finish('s')).rejects.toMatchObject({ code: 'ART_GATEWAY_SESSION_GONE' });
    expect(await sessions.turn('s')).toBe(410);
  });

  it('waits for calls under way, takes no new ones, and has those cancelled that take too long', async () => {
    const { sessions, add } = setUp();
    await add('s', first);
    const cancel = vi.fn<CancelCall>();
    const { calls } = (await sessions.live.enter('s'))!;
    calls.enter(cancel);
    const waiting = vi.spyOn(calls, 'idle');
    const finishing = sessions.finish('s', { waitTimeoutMs: 30 });
    await vi.waitFor(() => expect(waiting).toHaveBeenCalledWith(30), { interval: 0 });
    expect(await sessions.turn('s')).toBe(409);
    expect((await sessions.status('s')).state).toBe('finishing');
    await add('s', second);
    expect(await finishing).toMatchObject({ unfinishedCalls: 1, summary: { turns: 2 } });
    expect(cancel).toHaveBeenCalledExactlyOnceWith('finished');
    expect(await sessions.turn('s')).toBe(410);
    expect(await sessions.finish('s')).toMatchObject({ unfinishedCalls: 1 });
  });

  it.each(['capturesOf', 'finishSession'] as const)(
    'can be finished again after the store failed at %s',
    async (method) => {
      const { sessions, add, fail } = setUp();
      await add('s', first);
      await sessions.turn('s');
      const failing = fail(method);
      await expect(sessions.finish('s')).rejects.toThrow('disk');
      failing.mockRestore();
      expect(await sessions.turn('s')).toBe(200);
      expect((await sessions.finish('s')).rows).toHaveLength(1);
    },
  );

  it('counts turns', async () => {
    const { sessions } = setUp();
    await sessions.create({ sessionId: 's', maxTurns: 2 });
    expect([await sessions.turn('s'), await sessions.turn('s'), await sessions.turn('s')]).toEqual([
      200, 200, 429,
    ]);
    expect(sessions.live.known('s')?.takeTurn()).toMatchObject({
      type: 'rate_limit_error',
      message: expect.stringContaining('2 turns') as string,
    });
  });

  it('does not count a turn that failed', async () => {
    const { sessions } = setUp();
    await sessions.create({ sessionId: 's', maxTurns: 1 });
    await sessions.turn('s');
    sessions.live.known('s')?.move({ event: 'turn_failed' });
    expect(await sessions.turn('s')).toBe(200);
    expect(await sessions.turn('s')).toBe(429);
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
    expect(await restarted.turn('s')).toBe(429);
    await expect(restarted.create({ sessionId: 's' })).rejects.toMatchObject({
      code: 'ART_GATEWAY_SESSION_EXISTS',
    });
    const { rows } = await restarted.finish('s', { reward: 1 });
    expect(rows).toMatchObject([{ rollout_id: 'r', metadata: { a: 1 } }]);
    expect(rows[0]?.metadata).not.toHaveProperty('art_trajectory');
    const again = restart();
    expect(await again.turn('s')).toBe(410);
    // Whatever is asked for then: it was finished with a reward of 1.
    expect((await again.finish('s', { reward: 2, rolloutId: 'other' })).rows).toEqual(rows);
    expect((await again.status('s')).createdAtMs).toBe(createdAtMs);
  });

  it('drops for good, until it is created again', async () => {
    const { sessions, add } = setUp();
    await add('s', first, second);
    await sessions.finish('s');
    expect([await sessions.delete('s'), await sessions.delete('s')]).toEqual([2, 0]);
    expect(await sessions.turn('s')).toBe(410);
    await expect(sessions.finish('s')).rejects.toMatchObject({ code: 'ART_GATEWAY_SESSION_UNKNOWN' });
    await expect(sessions.status('s')).rejects.toMatchObject({ code: 'ART_GATEWAY_SESSION_UNKNOWN' });
    await sessions.create({ sessionId: 's' });
    expect(await sessions.turn('s')).toBe(200);
  });

  it('stays dropped when it is dropped while it finishes', async () => {
    const { sessions, add } = setUp();
    await add('s', first);
    const { calls } = (await sessions.live.enter('s'))!;
    const leave = calls.enter(() => undefined);
    const waiting = vi.spyOn(calls, 'idle');
    const finishing = sessions.finish('s');
    await vi.waitFor(() => expect(waiting).toHaveBeenCalled(), { interval: 0 });
    await sessions.delete('s');
    leave();
    await finishing;
    await expect(sessions.finish('s')).rejects.toMatchObject({ code: 'ART_GATEWAY_SESSION_UNKNOWN' });
  });

  it('is created once; a session that an agent opened becomes one with its turns', async () => {
    const { sessions, add } = setUp();
    await add('s', first);
    await sessions.turn('s');
    const creating = [
      sessions.create({ sessionId: 's', rolloutId: 'r' }),
      sessions.create({ sessionId: 's' }),
    ];
    expect((await Promise.allSettled(creating)).map((result) => result.status)).toEqual([
      'fulfilled',
      'rejected',
    ]);
    expect(await sessions.status('s')).toMatchObject({ captures: [{}], init: { rolloutId: 'r' } });
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

  it('is not known before its first call', async () => {
    const { sessions } = setUp();
    await expect(sessions.finish('new')).rejects.toMatchObject({ code: 'ART_GATEWAY_SESSION_UNKNOWN' });
    await expect(sessions.status('new')).rejects.toMatchObject({ code: 'ART_GATEWAY_SESSION_UNKNOWN' });
    expect(await sessions.turn('new')).toBe(200);
    expect(await sessions.status('new')).toMatchObject({ state: 'open', captures: [] });
  });

  it('makes room for others unless it is in use, and loses its worker then', async () => {
    const { sessions } = setUp({ maxSessions: 1 });
    const worker = { sessions: 0 } as Worker;
    const { calls } = await sessions.create({ sessionId: 'a', maxTurns: 1 });
    const a = sessions.live.known('a')!;
    a.worker = worker;
    expect([await sessions.turn('a'), worker.sessions]).toEqual([200, 1]);
    const leave = calls.enter(() => undefined);
    await sessions.create({ sessionId: 'b' });
    expect(sessions.live.known('a')).toBe(a);
    expect(await sessions.turn('a')).toBe(429);
    leave();
    await sessions.turn('b');
    expect([sessions.live.known('a'), worker.sessions]).toEqual([undefined, 0]);
    // Read from the store again, where no turn of it is stored.
    expect(await sessions.turn('a')).toBe(200);
  });

  it('that was deleted is refused where it was a trajectory, and served without a capture where it was not', async () => {
    const { sessions, add, restart } = setUp();
    await sessions.create({ sessionId: 'trajectory' });
    await add('plain', first);
    await add('finished', first);
    await sessions.finish('finished');
    // Anyone who deletes need not have seen a call of it.
    const restarted = restart();
    await restarted.delete('trajectory', 'plain', 'finished');
    expect([await restarted.turn('trajectory'), await restarted.turn('finished')]).toEqual([410, 410]);
    expect(await restarted.live.enter('plain')).toBeUndefined();
    await restarted.live.create({ sessionId: 'trajectory' });
    expect(await restarted.turn('trajectory')).toBe(200);
  });

  it('keeps its limits, and how it was finished, when its trainer creates it again with other metadata', async () => {
    const { sessions, add, restart } = setUp();
    await sessions.create({ sessionId: 's', rolloutId: 'r', maxTurns: 1, metadata: { a: 1 } });
    await add('s', first);
    await sessions.live.create({ sessionId: 's', metadata: { b: 2 }, samplingParams: { top_k: 1 } });
    expect(sessions.live.known('s')).toMatchObject({ samplingParams: { top_k: 1 } });
    expect(await restart().turn('s')).toBe(429);
    const { rows } = await sessions.finish('s', { reward: 1 });
    expect(rows).toMatchObject([{ rollout_id: 'r', metadata: { b: 2 } }]);
    await sessions.live.create({ sessionId: 's', metadata: { b: 3 } });
    expect(await restart().turn('s')).toBe(410);
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
    expect(await sessions.turn('s')).toBe(200);
  });
});
