import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RolloutClient } from '../client/rollout-client.ts';
import { inFakeTime } from '../in-fake-time.fixture.ts';
import { ScriptedRuntime } from '../scripted-runtime.fixture.ts';

let runtime: ScriptedRuntime;
let client: RolloutClient;

beforeEach(() => {
  vi.useFakeTimers();
  runtime = new ScriptedRuntime();
  client = new RolloutClient({ runtime, store: runtime.store, bucket: 'b', expId: 'e' });
});
afterEach(async () => {
  runtime.clearTimers();
  await client.close();
  vi.useRealTimers();
});

describe('the handle of a run', () => {
  it('opens nothing during a pause, not even what the data gives meanwhile, and all of it afterwards', async () => {
    const given = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const run = client.runBatch(
      (async function* () {
        yield { n: 0 };
        asked.resolve();
        await given.promise;
        yield { n: 1 };
      })(),
      { maxConcurrentSessions: 4 },
    );
    const first = await inFakeTime(run.next());
    expect(first.value).toMatchObject({ index: 0 });
    await asked.promise;
    run.pause();
    given.resolve();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(run.isPaused).toBe(true);
    expect(run.progress).toMatchObject({ submitted: 1, items: { active: 0, settled: 1 } });
    run.resume();
    const rest = await inFakeTime(Array.fromAsync(run));
    expect(rest.map(({ index }) => index)).toEqual([1]);
  });

  it('counts rollouts that are ok without a reward by what is wrong with it', async () => {
    const texts = ['{}', '{"rewards": []}', '{"rewards": "high"}', '{"rewards": [1]}'];
    vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const run = client.runBatch(
      texts.map((text) => ({ script: { text } })),
      { maxConcurrentSessions: 4 },
    );
    await inFakeTime(Array.fromAsync(run));
    expect(run.progress).toMatchObject({
      rewarded: 1,
      outcomes: { ok: 4 },
      unrewarded: { absent: 1, empty: 1, not_a_number: 1, not_finite: 0 },
    });
  });
});
