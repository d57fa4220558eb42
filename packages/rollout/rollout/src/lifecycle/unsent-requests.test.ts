import { classifyRuntimeFailure, type AgentRuntime, type InvocationOptions } from '@art/protocol';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RolloutClient } from '../client/rollout-client.ts';
import { inFakeTime } from '../in-fake-time.fixture.ts';
import { ScriptedRuntime } from '../scripted-runtime.fixture.ts';

let runtime: ScriptedRuntime;
let client: RolloutClient;
/** The behaviour of the network at each send, in order; later sends work. */
let network: ('unreachable' | 'breaks' | 'queue' | 'untold')[];
let sends: number;
let looks: number;

const failure = () => classifyRuntimeFailure({ operation: 'InvokeAgentRuntime' });

/** Tells when requests leave, but for `untold`; `unreachable` fails before, `breaks` after the agent has it, `queue` waits before. */
function tellingRuntime(): AgentRuntime {
  return {
    tellsLeaving: true,
    invoke: async (request, options: InvocationOptions = {}) => {
      sends += 1;
      const fate = network.shift();
      if (fate === 'unreachable') throw failure();
      if (fate === 'queue')
        await new Promise((_, reject) => {
          options.signal?.addEventListener('abort', () => reject(options.signal?.reason as Error), {
            once: true,
          });
        });
      if (fate !== 'untold') options.onLeaving?.();
      const answer = await runtime.invoke(request, options);
      if (fate === 'breaks') throw failure();
      return answer;
    },
    stop: (sessionId, options) => runtime.stop(sessionId, options),
  };
}

beforeEach(() => {
  vi.useFakeTimers();
  runtime = new ScriptedRuntime();
  [network, sends, looks] = [[], 0, 0];
  const { store } = runtime;
  client = new RolloutClient({
    runtime: tellingRuntime(),
    store: {
      put: (at, body, options) => store.put(at, body, options),
      get: (at, options) => store.get(at, options),
      watch: (range, onKey, options) => store.watch!(range, onKey, options),
      exists: (at, options) => {
        looks += 1;
        return store.exists(at, options);
      },
    },
    checkStore: false,
    bucket: 'b',
    expId: 'e',
    watch: { lagBoundMs: 60_000, pushedSweepIntervalMs: 60_000 },
  });
});
afterEach(async () => {
  runtime.clearTimers();
  await inFakeTime(client.close());
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

describe('a request that never left', () => {
  it('is sent again as it is, without a look in the store, and to an agent that cannot tell repeats apart', async () => {
    network = ['unreachable', 'unreachable'];
    const future = await inFakeTime(client.invoke({ script: { speaksRip: false } }));
    expect(sends).toBe(3);
    expect(looks).toBe(0);
    expect(runtime.sends).toHaveLength(1);
    expect(await inFakeTime(future.result())).toMatchObject({ rewards: 1 });
    expect([...runtime.handlerRuns.values()]).toEqual([1]);
  });

  it('leaves no session to stop when it is given up', async () => {
    network = ['unreachable', 'unreachable', 'unreachable'];
    await expect(inFakeTime(client.invoke({}))).rejects.toMatchObject({
      code: 'ART_RUNTIME_UNAVAILABLE',
      delivery: 'never',
    });
    expect([sends, runtime.stops]).toEqual([3, []]);
  });

  it('leaves no session to stop when it is aborted in a queue', async () => {
    network = ['queue'];
    const abort = new AbortController();
    const pending = client.invoke({}, { signal: abort.signal });
    await vi.advanceTimersByTimeAsync(1_000);
    abort.abort(new Error('enough'));
    await expect(inFakeTime(pending)).rejects.toThrow('enough');
    expect(runtime.stops).toEqual([]);
  });

  it.each([
    ['accepted', {}],
    ['answered with garbage', { answer: 'garbage' }],
    ['failed by the container', { failures: [424] }],
    ['failed by a gateway', { failures: [502, 502, 502], deliversDespiteFailure: true, storesNothing: true }],
  ])(
    'is not what was %s, also where the runtime forgets to tell: its session is stopped',
    async (_, script) => {
      network = ['untold', 'untold', 'untold'];
      const future = await inFakeTime(client.invoke({ script }).catch(() => undefined));
      if (future !== undefined) await inFakeTime(future.result());
      await inFakeTime(client.close());
      expect(new Set(runtime.stops).size).toBe(1);
      expect(runtime.live.size).toBe(0);
    },
  );

  it('does not make an earlier send certain', async () => {
    network = ['breaks', 'unreachable', 'unreachable'];
    const script = { speaksRip: true, storesNothing: true };
    await expect(inFakeTime(client.invoke({ script }))).rejects.toMatchObject({ delivery: 'unknown' });
    expect(looks).toBeGreaterThan(0);
    expect(runtime.stops).toHaveLength(1);
    expect(runtime.live.size).toBe(0);
  });

  it('is followed by a repeat under the same id where an earlier one may have arrived', async () => {
    network = ['unreachable', 'breaks'];
    const future = await inFakeTime(client.invoke({ script: { speaksRip: true, storeAfterMs: 9_000 } }));
    expect(runtime.sends).toHaveLength(2);
    expect(runtime.sends[1]).toEqual(runtime.sends[0]);
    await inFakeTime(future.result());
    expect([...runtime.handlerRuns.values()]).toEqual([1]);
  });
});
