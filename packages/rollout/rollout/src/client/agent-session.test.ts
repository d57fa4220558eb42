import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { inFakeTime } from '../in-fake-time.fixture.ts';
import { ScriptedRuntime, type SessionScript } from '../scripted-runtime.fixture.ts';
import { RolloutClient } from './rollout-client.ts';

let runtime: ScriptedRuntime;
let client: RolloutClient;

beforeEach(() => {
  vi.useFakeTimers();
  runtime = new ScriptedRuntime();
  client = new RolloutClient({ runtime, modelId: 'm' });
});
afterEach(async () => {
  runtime.clearTimers();
  await inFakeTime(client.close());
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

const rip = (script: SessionScript = {}): { script: SessionScript } => ({
  script: { speaksRip: true, ...script },
});
const withCode = (code: string): Error => expect.objectContaining({ code }) as Error;

describe('a session of several invocations', () => {
  it('answers each on its connection, in one machine, which is stopped at the end', async () => {
    const session = client.session();
    expect(await inFakeTime(session.invoke(rip({ result: { text: 'hi' } })))).toEqual({ text: 'hi' });
    expect(await inFakeTime(session.invoke(rip({ result: 'bye' })))).toEqual({ result: 'bye' });
    expect(new Set(runtime.sends.map(({ sessionId }) => sessionId))).toEqual(new Set([session.sessionId]));
    expect(runtime.handlerRuns.size).toBe(2);
    expect(JSON.parse(runtime.sends[0]!.body)).toMatchObject({
      _config: { model_id: 'm' },
      _agentcore_runtime: { background: false },
    });
    expect(runtime.stops).toEqual([]);
    await inFakeTime(session[Symbol.asyncDispose]());
    expect(runtime.stops).toEqual([session.sessionId]);
    await expect(session.invoke(rip())).rejects.toThrow(withCode('ART_CLOSED'));
  });

  it('takes what is asked for in the background from the session', async () => {
    await using session = client.session();
    const invoked = session.invoke(rip({ storeAfterMs: 1_200_000 / 10 }), { background: true });
    expect(await inFakeTime(invoked)).toEqual({ reward: 1 });
    expect(runtime.questions.length).toBeGreaterThan(0);
    await inFakeTime(session.stop());
  });

  it('runs several at once', async () => {
    const session = client.session('0a1b2c3d-0000-4000-8000-000000000001');
    const both = Promise.all([
      session.invoke(rip({ result: { n: 1 } })),
      session.invoke(rip({ result: { n: 2 } })),
    ]);
    expect(await inFakeTime(both)).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it('throws what the handler failed with, and continues', async () => {
    const session = client.session();
    await expect(inFakeTime(session.invoke(rip({ error: 'no such tool' })))).rejects.toThrow(/no such tool/);
    await expect(inFakeTime(session.invoke(rip({ error: 'x' })))).rejects.toThrow(
      withCode('ART_AGENT_ERROR'),
    );
    expect(await inFakeTime(session.invoke(rip()))).toEqual({ reward: 1 });
    expect(runtime.stops).toEqual([]);
  });

  it('ends a wait by time or signal and leaves the machine to the next invocation', async () => {
    const session = client.session();
    const never = rip({ storesNothing: true });
    await expect(inFakeTime(session.invoke(never, { background: true, timeoutMs: 5_000 }))).rejects.toThrow(
      withCode('ART_ROLLOUT_TIMEOUT'),
    );
    const abort = new AbortController();
    const aborted = session.invoke(never, { background: true, signal: abort.signal });
    aborted.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(100);
    abort.abort(new Error('enough'));
    await expect(inFakeTime(aborted)).rejects.toThrow('enough');
    expect(runtime.stops).toEqual([]);
  });

  it('is stopped with its client, and not at all where nothing was invoked', async () => {
    const session = client.session();
    client.session();
    await inFakeTime(session.invoke(rip()));
    await inFakeTime(client.close());
    expect(runtime.stops).toEqual([session.sessionId]);
    expect(() => client.session()).toThrow(withCode('ART_CLIENT_CLOSED'));
  });

  it('refuses ids that name no session, and a gateway', async () => {
    expect(() => client.session('short')).toThrow(withCode('ART_INVALID_SESSION_ID'));
    const captured = new RolloutClient({ runtime, gateway: { url: 'http://gw' } });
    expect(() => captured.session()).toThrow(withCode('ART_INVALID_OPTION'));
    await captured.close();
  });
});
