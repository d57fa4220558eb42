import { backgroundClock } from '@art/ground';
import { type AgentRuntime, type InvocationOptions, RuntimeError } from '@art/protocol';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RolloutClient } from '../client/rollout-client.ts';
import { inFakeTime } from '../in-fake-time.fixture.ts';
import { MemoryJournal } from '../recording/memory-journal.fixture.ts';
import { ScriptedRuntime, type SessionScript } from '../scripted-runtime.fixture.ts';
import { SessionCalls } from './session-calls.ts';

let runtime: ScriptedRuntime;

beforeEach(() => {
  vi.useFakeTimers();
  runtime = new ScriptedRuntime();
});
afterEach(() => {
  runtime.clearTimers();
  expect(vi.getTimerCount(), 'timers left behind').toBe(0);
  vi.useRealTimers();
});

function clientOf(): RolloutClient {
  return new RolloutClient({ runtime, store: runtime.store, bucket: 'results', expId: 'run-1' });
}

async function lateRequestsArrive(): Promise<void> {
  await vi.advanceTimersByTimeAsync(60_000);
}

describe('a client leaves no session', () => {
  it.each([300, 1_500, 4_000, 9_000])('behind a question that takes %d ms to arrive', async (wayMs) => {
    runtime.wayMs = (operation) => (operation === 'get' ? wayMs : 0);
    const script: SessionScript = { speaksRip: true, storeAfterMs: 10_200 };
    const client = clientOf();
    const payloads = Array.from({ length: 4 }, () => ({ script }));
    const items = await inFakeTime(Array.fromAsync(client.runBatch(payloads, { maxConcurrentSessions: 4 })));
    await inFakeTime(client.close());
    await lateRequestsArrive();
    expect(items.map(({ outcome }) => outcome.kind)).toEqual(['ok', 'ok', 'ok', 'ok']);
    expect(runtime.questions).toHaveLength(4);
    expect([...runtime.live]).toEqual([]);
  });

  it.each([300, 1_500, 4_000, 9_000])('behind a start that takes %d ms to arrive', async (wayMs) => {
    runtime.wayMs = () => wayMs;
    const client = clientOf();
    const caller = new AbortController();
    const calledOff = client.runBatch([{ script: { speaksRip: true } }], {
      maxConcurrentSessions: 1,
      signal: caller.signal,
    });
    setTimeout(() => caller.abort(), 100);
    await inFakeTime(Array.fromAsync(calledOff).catch(() => undefined));
    await inFakeTime(client.close());
    await lateRequestsArrive();
    expect(runtime.sends).toHaveLength(1);
    expect([...runtime.live]).toEqual([]);
  });

  it('that its journal takes for stopped while a question is on its way to it', async () => {
    runtime.wayMs = (operation) => (operation === 'get' ? 6_000 : 0);
    const journal = new MemoryJournal();
    const lines = (): string => [...journal.runs.values()].flat().join('\n');
    const client = clientOf();
    const batch = client.runBatch([{ script: { speaksRip: true, storeAfterMs: 10_200 } }], {
      maxConcurrentSessions: 1,
      journal,
    });
    const reading = Array.fromAsync(batch);
    await vi.advanceTimersByTimeAsync(14_500);
    expect(runtime.stops).toHaveLength(1);
    expect(lines()).not.toMatch(/stopped/);
    await inFakeTime(reading);
    await inFakeTime(client.close());
    expect(runtime.stops).toHaveLength(2);
    expect(lines()).toMatch(/stopped/);
  });
});

describe('SessionCalls', () => {
  const request = { sessionId: 'mine', body: '{}' };
  type Send = (options: InvocationOptions) => Promise<never>;

  function callsOver(send: Send, stops: string[] = []): SessionCalls {
    const inner: AgentRuntime = {
      tellsLeaving: true,
      invoke: (_, options = {}) => send(options),
      stop: (sessionId) => {
        stops.push(sessionId);
        return Promise.resolve({ kind: 'stopped' });
      },
    };
    return new SessionCalls({ runtime: inner, clock: backgroundClock, ownsRuntime: false });
  }

  const untilAborted = (signal: AbortSignal | undefined): Promise<never> =>
    new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)));

  it('cuts off at once what waits for its turn, and what waits after it was refused', async () => {
    const sends: Send[] = [
      ({ signal }) => untilAborted(signal),
      ({ signal, onLeaving, onRefused }) => {
        onLeaving?.();
        onRefused?.();
        return untilAborted(signal);
      },
    ];
    for (const send of sends) {
      const stops: string[] = [];
      const calls = callsOver(send, stops);
      const caller = new AbortController();
      const call = calls.invoke(request, { signal: caller.signal });
      caller.abort(new Error('called off'));
      await expect(call).rejects.toThrow('called off');
      const beganMs = performance.now();
      await inFakeTime(calls.stop('mine'));
      expect(performance.now() - beganMs).toBeLessThan(100);
      expect(stops).toEqual(['mine']);
    }
  });

  it('does not send again what was refused after its caller had gone', async () => {
    const refused = new RuntimeError({ code: 'ART_RUNTIME_THROTTLED', message: 'later', delivery: 'never' });
    let isCutOff = false;
    const calls = callsOver(async ({ signal, onLeaving, onRefused }) => {
      onLeaving?.();
      await new Promise((resolve) => setTimeout(resolve, 500));
      onRefused?.();
      isCutOff = signal?.aborted === true;
      throw refused;
    });
    const caller = new AbortController();
    const call = calls.invoke(request, { signal: caller.signal });
    caller.abort(new Error('called off'));
    await expect(call).rejects.toThrow('called off');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(isCutOff).toBe(true);
  });

  it('is not held up by a runtime that looks at no signal', async () => {
    const stops: string[] = [];
    const calls = callsOver(({ onLeaving }) => {
      onLeaving?.();
      return new Promise<never>(() => undefined);
    }, stops);
    const caller = new AbortController();
    const call = calls.invoke(request, { signal: caller.signal });
    caller.abort(new Error('called off'));
    await expect(call).rejects.toThrow('called off');
    await inFakeTime(calls.stop('mine'));
    expect(stops).toEqual(['mine', 'mine']);
    await calls.close();
  });
});
