import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RuntimeError } from '@art/protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '@art/tooling/eventually';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { invokeJson, newSessionId, startTiny } from '../tiny-agent.fixture.ts';

const failureOf = async (work: Promise<unknown>): Promise<Partial<RuntimeError>> => {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error as Partial<RuntimeError>;
};

describe('service limits', () => {
  it('throttle new sessions, not those that are there', async () => {
    let nowMs = 0;
    await using local = await startTiny([], {
      limits: { newSessionsPerSecond: 2 },
      clock: { nowMs: () => nowMs },
    });
    const runtime = local.runtime('tiny');
    const first = newSessionId();
    await invokeJson(runtime, first, {});
    await invokeJson(runtime, newSessionId(), {});
    const third = newSessionId();
    const failure = await failureOf(invokeJson(runtime, third, {}));
    expect(failure).toMatchObject({ code: 'ART_RUNTIME_THROTTLED', httpStatus: 429, delivery: 'never' });
    expect(failure.message).toContain('New session creation rate exceeded');
    await invokeJson(runtime, first, {});
    nowMs += 500;
    await invokeJson(runtime, third, {});
    expect(local.metrics().faults).toEqual({ ThrottlingException: 1 });
    expect(local.metrics().attempts.find((one) => one.sessionId === third)).toMatchObject({
      invocations: 2,
      delivered: 1,
    });
  });

  it('throttle all calls', async () => {
    await using local = await startTiny([], { limits: { callsPerSecond: 1 }, clock: { nowMs: () => 0 } });
    const id = newSessionId();
    await invokeJson(local.runtime('tiny'), id, {});
    const failure = await failureOf(local.runtime('tiny').stop(id));
    expect(failure).toMatchObject({ code: 'ART_RUNTIME_THROTTLED' });
    expect(failure.message).toContain('Rate exceeded');
  });

  it('cap live sessions until one has ended', async () => {
    await using local = await startTiny([], { limits: { maxLiveSessions: 1 } });
    const runtime = local.runtime('tiny');
    const first = newSessionId();
    await invokeJson(runtime, first, {});
    const failure = await failureOf(invokeJson(runtime, newSessionId(), {}));
    expect(failure).toMatchObject({ code: 'ART_RUNTIME_QUOTA', httpStatus: 402, delivery: 'never' });
    expect(failure.message).toContain('maxVms limit exceeded');
    await runtime.stop(first);
    await eventually(async () => {
      await invokeJson(runtime, newSessionId(), {});
    });
    expect(local.metrics().peakLiveSessions).toBe(1);
  });

  it('answer 409 during set-up', async () => {
    const local = await startTiny(['never-listen'], { limits: { conflictDuringTransition: true } });
    onTestFinished(() => local.close());
    const id = newSessionId();
    const first = failureOf(invokeJson(local.runtime('tiny'), id, {}));
    await eventually(() => expect(local.metrics().liveSessions).toBe(1));
    expect(await failureOf(invokeJson(local.runtime('tiny'), id, {}))).toMatchObject({
      code: 'ART_RUNTIME_CONFLICT',
      httpStatus: 409,
    });
    await local.close();
    await first;
  });

  it('answer 409 during teardown', async () => {
    const release = join(await temporaryFolder(), 'release');
    await using local = await startTiny(['flush-on-sigterm', release], {
      limits: { conflictDuringTransition: true },
    });
    const runtime = local.runtime('tiny');
    const id = newSessionId();
    await invokeJson(runtime, id, {});
    await runtime.stop(id);
    expect(await failureOf(invokeJson(runtime, id, {}))).toMatchObject({ httpStatus: 409 });
    writeFileSync(release, '');
    await eventually(async () => {
      await invokeJson(runtime, id, {});
    });
  });

  it('make cold starts slow and leave warm ones alone', async () => {
    await using cold = await startTiny([], { coldStartDelayMs: 400 });
    await using warm = await startTiny([], { coldStartDelayMs: 3_600_000, warmPoolSize: 1 });
    await eventually(() => expect(warm.metrics().warmProcesses).toBe(1));
    await invokeJson(cold.runtime('tiny'), newSessionId(), {});
    await invokeJson(warm.runtime('tiny'), newSessionId(), {});
    // A timer may be early by as much as its event loop was late.
    expect(cold.sessions()[0]!.startMs).toBeGreaterThanOrEqual(350);
  });
});
