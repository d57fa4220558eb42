import { isRunning } from '@art/tooling/is-running';
import { describe, expect, it } from 'vitest';
import { eventually } from '@art/tooling/eventually';
import {
  failureOf,
  invoke,
  kindsOf,
  newSessionId,
  startFaulty,
  startWithPlan,
} from './faulty-runtime.fixture.ts';

describe('a session that is killed', () => {
  it('at its start is reported as one that does not start, also with warm processes', async () => {
    await using local = await startFaulty(
      { when: { operation: 'start', session: 1 }, fault: { kind: 'kill' }, count: 1 },
      { warmPoolSize: 1 },
    );
    await invoke(local);
    const sessionId = newSessionId();
    const { httpStatus, message } = await failureOf(invoke(local, sessionId));
    expect(httpStatus).toBe(424);
    expect(message).toMatch(/Runtime initialization time exceeded[\s\S]*killed by SIGKILL/);
    await eventually(() => expect(local.metrics().endedSessions.start_failed).toBe(1));
    expect(local.faults.injected()).toMatchObject([
      { seq: 1, kind: 'kill', operation: 'start', sessionId, agent: 'tiny', outcome: 'done' },
    ]);
    expect((await invoke(local, sessionId))['pid']).toBeTypeOf('number');
  });

  it('in mid-run dies a while after it accepted', async () => {
    await using local = await startFaulty({
      when: { operation: 'invoke' },
      fault: { kind: 'kill', afterMs: [1, 50] },
    });
    const sessionId = newSessionId();
    const { pid } = await invoke(local, sessionId);
    await eventually(() => expect(isRunning(pid as number)).toBe(false));
    await eventually(() =>
      expect(local.sessions()).toMatchObject([{ endReason: 'exited', exit: 'was killed by SIGKILL' }]),
    );
    const [fault] = local.faults.injected();
    expect(fault).toMatchObject({ kind: 'kill', moment: 'after', sessionId, outcome: 'done' });
    expect(fault!.durationMs).toBeGreaterThanOrEqual(1);
    expect(fault!.durationMs).toBeLessThanOrEqual(50);
    expect(kindsOf(local)).toEqual(['invoked', 'session_started', 'delivered', 'accepted', 'session_ended']);
  });

  it('before it gets the request looks like a crash', async () => {
    await using local = await startFaulty({
      when: { operation: 'invoke' },
      fault: { kind: 'kill', moment: 'before' },
    });
    const { httpStatus, message } = await failureOf(invoke(local));
    expect({ httpStatus, message }).toMatchObject({
      httpStatus: 424,
      message: expect.stringContaining('(502)'),
    });
  });

  it('is not there any more when it was stopped first', async () => {
    await using local = await startFaulty({
      when: { operation: 'invoke' },
      fault: { kind: 'kill', afterMs: 600_000 },
    });
    const sessionId = newSessionId();
    await invoke(local, sessionId);
    expect(local.faults.injected()[0]?.outcome).toBe('pending');
    await local.runtime('tiny').stop(sessionId);
    await eventually(() => expect(local.metrics().liveSessions).toBe(0));
    await eventually(() => expect(local.faults.injected()[0]?.outcome).toBe('missed'));
  });

  it('is spared when the plan is replaced', async () => {
    await using local = await startFaulty({
      when: { operation: 'invoke' },
      fault: { kind: 'kill', afterMs: 600_000 },
    });
    const { pid } = await invoke(local);
    local.faults.setPlan(undefined);
    await eventually(() => expect(local.faults.injected()[0]?.outcome).toBe('missed'));
    expect(isRunning(pid as number)).toBe(true);
  });
});

describe('a session whose pings are lost', () => {
  it('is ended as unhealthy, with its request', async () => {
    await using local = await startWithPlan(undefined, { pingIntervalMs: 5, maxFailedPings: 3 });
    const sessionId = newSessionId();
    const hanging = failureOf(invoke(local, sessionId, { do: 'hang' }));
    // Three lost pings take 15 ms: the request has to be with the agent before the first of them.
    await eventually(() => expect(kindsOf(local)).toContain('delivered'));
    local.faults.setPlan({
      seed: 1,
      rules: [{ when: { operation: 'ping', session: 0 }, fault: { kind: 'lose_pings' }, count: 1 }],
    });
    const { httpStatus, message } = await hanging;
    expect({ httpStatus, message }).toMatchObject({
      httpStatus: 424,
      message: expect.stringContaining('Runtime health check failed or timed out'),
    });
    await eventually(() => expect(local.metrics().endedSessions.unhealthy).toBe(1));
    expect(local.faults.injected()).toHaveLength(1);
    // The fault was this session's, not that of its id.
    const { pid } = await invoke(local, sessionId);
    await eventually(() => expect(local.sessions()[0]!.pings).toBeGreaterThan(10));
    expect(isRunning(pid as number)).toBe(true);
  });

  it('lives on when they come back in time', async () => {
    let nowMs = 0;
    await using local = await startFaulty(
      { when: { operation: 'ping' }, fault: { kind: 'lose_pings', forMs: 1_000 }, count: 1 },
      { pingIntervalMs: 5, maxFailedPings: 1_000_000, clock: { nowMs: () => nowMs } },
    );
    await invoke(local, newSessionId(), { do: 'busy', busy: true });
    await eventually(() => expect(local.sessions()[0]!.pings).toBeGreaterThan(5));
    expect(local.sessions()[0]!.busy).toBe(false);
    nowMs = 1_000;
    await eventually(() => expect(local.sessions()[0]!.busy).toBe(true));
  });
});
