import type { RuntimeError } from '@art/protocol';
import { describe, expect, it } from 'vitest';
import { eventually } from '@art/tooling/eventually';
import { FaultInjection, type FaultPlan } from './index.ts';
import {
  failureOf,
  invoke,
  kindsOf,
  newSessionId,
  startFaulty,
  startWithPlan,
} from './faulty-runtime.fixture.ts';

describe('a request', () => {
  it.each([
    ['before', ['invoked']],
    ['after', ['invoked', 'session_started', 'delivered', 'accepted']],
  ] as const)('that is dropped %s its delivery is never answered', async (moment, kinds) => {
    await using local = await startFaulty({
      when: { operation: 'invoke' },
      fault: { kind: 'drop', moment },
      count: 1,
    });
    const patience = new AbortController();
    const dropped = local
      .runtime('tiny')
      .invoke({ sessionId: newSessionId(), body: '{}' }, { signal: patience.signal });
    await eventually(() => expect(local.faults.injected()).toMatchObject([{ outcome: 'done', moment }]));
    // Another one comes through while the first still waits.
    await invoke(local);
    patience.abort(new Error('enough'));
    await expect(dropped).rejects.toThrow('enough');
    expect(kindsOf(local).slice(0, kinds.length)).toEqual(kinds);
    expect(local.metrics().attempts[0]).toMatchObject({
      invocations: 1,
      delivered: moment === 'after' ? 1 : 0,
    });
  });

  it.each([
    ['before', 0],
    ['after', 1],
  ] as const)('that is reset %s its delivery ends without an answer', async (moment, delivered) => {
    await using local = await startFaulty({
      when: { operation: 'invoke' },
      fault: { kind: 'reset', moment },
    });
    const { code, delivery } = await failureOf(invoke(local));
    expect({ code, delivery }).toEqual({ code: 'ART_RUNTIME_UNAVAILABLE', delivery: 'unknown' });
    expect(local.metrics().attempts[0]).toMatchObject({ invocations: 1, delivered, accepted: delivered });
    // Nothing keeps the session from becoming idle.
    await eventually(() =>
      expect(local.sessions().every((session) => session.activeRequests === 0)).toBe(true),
    );
  });

  it.each(['before', 'after'] as const)('that is delayed %s its delivery comes through', async (moment) => {
    await using local = await startFaulty({
      when: { operation: 'invoke' },
      fault: { kind: 'delay', ms: 60, moment },
    });
    const startedMs = performance.now();
    expect((await invoke(local))['pid']).toBeTypeOf('number');
    // Timers may fire a millisecond early by this clock.
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(59);
  });

  it('that is duplicated reaches the agent several times and is answered once', async () => {
    await using local = await startFaulty({
      when: { operation: 'invoke' },
      fault: { kind: 'duplicate', copies: 2 },
    });
    const sessionId = newSessionId();
    const body = '{"_agentcore_runtime":{"version":1,"operation":"start","invocation_id":"attempt-1"}}';
    await local.runtime('tiny').invoke({ sessionId, body });
    await eventually(() =>
      expect(kindsOf(local).toSorted()).toEqual(
        [
          'invoked',
          'session_started',
          'delivered',
          'delivered again',
          'delivered again',
          'accepted',
          'accepted again',
          'accepted again',
        ].toSorted(),
      ),
    );
    const delivered = local.endpointLog().filter((entry) => entry.kind === 'delivered');
    expect(delivered).toMatchObject(
      Array.from({ length: 3 }, () => ({ agent: 'tiny', sessionId, invocationId: 'attempt-1' })),
    );
    expect(local.sessions()[0]?.requests).toBe(3);
  });

  it.each([
    [429, 'ART_RUNTIME_THROTTLED', 'Rate exceeded'],
    [402, 'ART_RUNTIME_QUOTA', 'maxVms limit exceeded'],
    [409, 'ART_RUNTIME_CONFLICT', 'Session operation in progress'],
    [424, 'ART_CONTAINER_ERROR', 'Received error (500) from runtime'],
    [500, 'ART_RUNTIME_UNAVAILABLE', 'internal error'],
    [503, 'ART_RUNTIME_UNAVAILABLE', '503'],
  ])('meets a storm of %i, then peace', async (status, code, message) => {
    await using local = await startFaulty({
      when: { operation: 'invoke' },
      fault: { kind: 'error', status, retryAfterMs: 1_500 },
      nth: 1,
      burst: 2,
    });
    for (let request = 0; request < 2; request += 1) {
      expect(await failureOf(invoke(local))).toMatchObject({
        code,
        httpStatus: status,
        retryAfterMs: 2_000,
        message: expect.stringContaining(message),
      });
    }
    await invoke(local);
    expect(local.metrics().startedSessions).toBe(1);
  });

  it('may fail although the agent got it', async () => {
    await using local = await startFaulty({
      when: { operation: 'invoke' },
      fault: { kind: 'error', status: 500, moment: 'after' },
    });
    expect((await failureOf(invoke(local))).httpStatus).toBe(500);
    expect(local.metrics().attempts[0]).toMatchObject({ accepted: 1 });
  });

  it('to stop may get lost, on either side', async () => {
    await using local = await startFaulty({
      when: { operation: 'stop' },
      fault: { kind: 'reset', moment: 'before' },
    });
    const sessionId = newSessionId();
    await invoke(local, sessionId);
    await failureOf(local.runtime('tiny').stop(sessionId));
    expect(local.sessions()[0]?.state).toBe('ready');
    local.faults.setPlan({
      seed: 1,
      rules: [{ when: { operation: 'stop' }, fault: { kind: 'reset', moment: 'after' } }],
    });
    await failureOf(local.runtime('tiny').stop(sessionId));
    await eventually(() => expect(local.metrics().endedSessions.stopped).toBe(1));
    expect(local.endpointLog().filter(({ kind }) => kind === 'stop')).toMatchObject([
      { outcome: 'stopped', sessionId },
    ]);
  });
});

it('a seed replays: the same requests meet the same faults in another runtime', async () => {
  const plan = (seed: number): FaultPlan => ({
    seed,
    rules: [
      { when: { operation: 'invoke' }, fault: { kind: 'delay', ms: [0, 3] }, probability: 0.3 },
      { when: { operation: 'invoke' }, fault: { kind: 'error', status: 429 }, probability: 0.4, burst: 2 },
      { when: { operation: 'invoke' }, fault: { kind: 'reset', moment: 'after' }, probability: 0.3 },
    ],
  });
  const outcomes = async (seed: number): Promise<object> => {
    await using local = await startWithPlan(plan(seed));
    const sessionId = newSessionId();
    const seen: string[] = [];
    for (let request = 0; request < 20; request += 1) {
      seen.push(
        await invoke(local, sessionId).then(
          () => 'ok',
          (error: RuntimeError) => error.code,
        ),
      );
    }
    return {
      seen,
      faults: local.faults
        .injected()
        .map(({ seq, rule, match, durationMs }) => [seq, rule, match, durationMs]),
    };
  };
  const first = await outcomes(11);
  expect(await outcomes(11)).toEqual(first);
  expect(await outcomes(12)).not.toEqual(first);
});

it('a plan that is no plan is refused, and the one before stays', async () => {
  await using local = await startFaulty({ when: { operation: 'invoke' }, fault: { kind: 'reset' } });
  expect(() => local.faults.setPlan({ seed: 1, rules: [{}] } as never)).toThrow(
    expect.objectContaining({ code: 'ART_INVALID_OPTION' }),
  );
  await failureOf(invoke(local));
  expect(() => new FaultInjection({ seed: 'x', rules: [] } as never)).toThrow(
    expect.objectContaining({ code: 'ART_INVALID_OPTION' }),
  );
});

it('faults belong to one runtime at a time', async () => {
  await using local = await startFaulty({
    when: { operation: 'invoke' },
    fault: { kind: 'reset' },
    count: 1,
  });
  await expect(startWithPlan(undefined, { faults: local.faults })).rejects.toMatchObject({
    code: 'ART_INVALID_OPTION',
  });
  await local.close();
  // The plan starts from its beginning.
  await using next = await startWithPlan(undefined, { faults: local.faults });
  await failureOf(invoke(next));
  expect(local.faults.injected()).toHaveLength(1);
});
