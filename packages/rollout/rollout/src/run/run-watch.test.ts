import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RolloutClient } from '../client/rollout-client.ts';
import type { Group } from '../groups/group.ts';
import { inFakeTime } from '../in-fake-time.fixture.ts';
import { MemoryJournal } from '../recording/memory-journal.fixture.ts';
import { ScriptedRuntime, type SessionScript } from '../scripted-runtime.fixture.ts';
import type { BatchItem } from '../batch/batch-item.ts';
import type { BatchOptions } from '../batch/batch-options.ts';

const unstarted: SessionScript = { failures: [424], failureMessage: 'Runtime initialization time exceeded.' };
const refused: SessionScript = { failures: [403], failureMessage: 'no rights' };
const agentError: SessionScript = { text: '{"status_code": 500, "stop_reason": "bug 7"}' };
const ended = { code: 'ART_TOO_MANY_FAILURES' };

let runtime: ScriptedRuntime;
let client: RolloutClient;
let journal: MemoryJournal;

const works = (count: number, script: SessionScript): { n: number; script: SessionScript }[] =>
  Array.from({ length: count }, (_, n) => ({ n, script }));

/** Everything that a run hands out, and what it throws. */
async function drain<Item>(work: AsyncIterable<Item>): Promise<{ items: Item[]; error: unknown }> {
  const items: Item[] = [];
  let error: unknown;
  const loop = async (): Promise<void> => {
    try {
      for await (const item of work) items.push(item);
    } catch (caught) {
      error = caught;
    }
  };
  await inFakeTime(loop());
  return { items, error };
}
const run = (
  payloads: Iterable<object> | AsyncIterable<object>,
  options: Partial<BatchOptions> = {},
): Promise<{ items: BatchItem[]; error: unknown }> =>
  drain(client.runBatch(payloads, { maxConcurrentSessions: 4, ...options }));

beforeEach(() => {
  vi.useFakeTimers();
  runtime = new ScriptedRuntime();
  journal = new MemoryJournal();
  client = new RolloutClient({
    runtime,
    store: runtime.store,
    bucket: 'b',
    expId: 'e',
    onWarning: () => undefined,
  });
});
afterEach(async () => {
  runtime.clearTimers();
  await inFakeTime(client.close());
  expect(runtime.live.size).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

describe('an agent that does not start', () => {
  it.each([
    ['does not start', unstarted, /first 5 sessions .* ART_RUNTIME_START_FAILED: .*initialization/],
    ['may not be called', refused, /first 5 sessions .* ART_RUNTIME_REJECTED: .*no rights/],
    ['answers something else', { answer: '{}' }, /first 5 sessions .* ART_INVALID_REPLY/],
  ])('ends the run of 20 payloads after five sessions where it %s', async (_, script, message) => {
    const { error } = await run(works(20, script));
    expect(error).toMatchObject({ ...ended, message: expect.stringMatching(message) as string });
    expect(runtime.sends.length).toBeLessThanOrEqual(5 + 3);
  });

  it('ends a run of groups', async () => {
    const { items, error } = await drain<Group<object>>(
      client.runGroups(works(20, unstarted), { maxConcurrentSessions: 4, rolloutsPerInput: 4 }),
    );
    expect(error).toMatchObject(ended);
    expect(items).toEqual([]);
    expect(runtime.sends.length).toBeLessThanOrEqual(5 + 3);
  });

  it.each([1, 4])('leaves every payload to a resume, with %i at a time', async (maxConcurrentSessions) => {
    const options = { maxConcurrentSessions, journal: { journal, runId: 'r' } };
    const first = await run(works(20, refused), options);
    expect(first).toMatchObject({ items: [], error: ended });
    // The agent was mended meanwhile.
    runtime.sends.length = 0;
    const { items, error } = await drain(client.resume({ journal, runId: 'r' }, works(20, refused)));
    expect(error).toMatchObject(ended);
    expect(items).toEqual([]);
    expect(runtime.sends.length).toBeGreaterThan(4);
  });

  it('is tried again by a resume once it was mended', async () => {
    let isMended = false;
    const payloads = works(8, {});
    const invoke = runtime.invoke.bind(runtime);
    runtime.invoke = (request, options) =>
      isMended
        ? invoke(request, options)
        : invoke(
            { ...request, body: request.body.replace('"script":{}', `"script":${JSON.stringify(refused)}`) },
            options,
          );
    const choice = { journal, runId: 'r' };
    expect(await run(payloads, { journal: choice })).toMatchObject({ items: [], error: ended });
    isMended = true;
    const { items, error } = await drain(client.resume(choice, payloads));
    expect(error).toBeUndefined();
    expect(items.map(({ outcome }) => outcome.kind)).toEqual(Array(8).fill('ok'));
  });

  it('is no reason to end where one session has started', async () => {
    const { items, error } = await run([...works(1, {}), ...works(9, refused)], {
      maxConcurrentSessions: 1,
      journal,
    });
    expect(error).toBeUndefined();
    expect(items).toHaveLength(10);
  });

  it('hands out what failed where there are too few to judge', async () => {
    expect(await run(works(3, refused), { journal })).toMatchObject({
      items: { length: 3 },
      error: undefined,
    });
  });

  // With two places the source is asked while the session before it is still under way.
  it.each([1, 2])('hands it out where a source waits for it (%i at once)', async (maxConcurrentSessions) => {
    const seen: BatchItem[] = [];
    async function* oneByOne(): AsyncGenerator<object> {
      for (let n = 0; n < 3; n += 1) {
        yield { n, script: refused };
        while (seen.length <= n) await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }
    const items = client.runBatch(oneByOne(), {
      maxConcurrentSessions,
      journal: { journal, runId: 'second' },
    });
    const loop = async (): Promise<void> => {
      for await (const item of items) seen.push(item);
    };
    await inFakeTime(loop());
    expect(seen).toHaveLength(3);
  });

  it('is no one reason where every session has its own', async () => {
    const payloads = Array.from({ length: 30 }, (_, n) => ({
      script: { ...refused, failureMessage: `reason ${'abcdefghijklmnopqrstuvwxyzABCD'[n]}` },
    }));
    const { items, error } = await run(payloads, { journal });
    expect(error).toBeUndefined();
    expect(items).toHaveLength(30);
  });

  it('is told from a runtime that has no room, and from a network that comes back', async () => {
    const throttled = await run(works(10, { failures: [429] }), { retry: { throttled: 0 } });
    expect(throttled).toMatchObject({ items: { length: 10 }, error: undefined });
    // A resend is another send of the same session; the first three find nobody.
    const passing = await run(works(10, { failures: [500, 500] }));
    expect(passing.items.map(({ outcome }) => outcome.kind)).toEqual(Array(10).fill('ok'));
  });

  it('ends the run where the network stays away', async () => {
    const { error } = await run(works(20, { failures: [500, 500, 500] }));
    expect(error).toMatchObject({ ...ended, message: expect.stringContaining('UNAVAILABLE') as string });
  });

  it('does not matter with maxFailures Infinity', async () => {
    const { items, error } = await run(works(20, refused), { maxFailures: Infinity });
    expect(error).toBeUndefined();
    expect(items).toHaveLength(20);
  });
});

describe('maxFailures', () => {
  const mixed = (failures: number, rest: number): object[] => [
    ...works(failures, agentError),
    ...works(rest, {}),
  ];

  it('allows so many failures and ends the run with the next one', async () => {
    expect(await run(mixed(3, 5), { maxFailures: 3 })).toMatchObject({
      items: { length: 8 },
      error: undefined,
    });
    const { items, error } = await run(mixed(4, 40), { maxFailures: 3, maxConcurrentSessions: 2 });
    expect(error).toMatchObject({
      ...ended,
      message: expect.stringMatching(
        /4 of \d+ rollouts failed, more than maxFailures 3 allows.*bug 7/,
      ) as string,
    });
    // What was settled is handed out first.
    expect(items.filter(({ outcome }) => outcome.kind === 'agent_error')).toHaveLength(4);
  });

  it('ends with the first failure where none is allowed', async () => {
    const { items, error } = await run(mixed(1, 20), { maxFailures: 0, maxConcurrentSessions: 1 });
    expect([items.length, error]).toMatchObject([1, ended]);
  });

  it('takes a share, and judges it once there are enough', async () => {
    expect(await run(mixed(5, 35), { maxFailures: 0.25 })).toMatchObject({
      items: { length: 40 },
      error: undefined,
    });
    const { items, error } = await run(mixed(30, 30), { maxFailures: 0.25, maxConcurrentSessions: 1 });
    expect([items.length, error]).toMatchObject([20, ended]);
  });

  it('holds for groups', async () => {
    const { items, error } = await drain<Group<object>>(
      client.runGroups(mixed(4, 0), { maxConcurrentSessions: 2, rolloutsPerInput: 2, maxFailures: 2 }),
    );
    expect([items.length, error]).toMatchObject([3, ended]);
  });

  it('leaves what was not handed out to a resume, under the limit that was recorded', async () => {
    const choice = { journal, runId: 'r' };
    const payloads = mixed(3, 6);
    const first = await run(payloads, { maxFailures: 1, maxConcurrentSessions: 1, journal: choice });
    expect([first.items.length, first.error]).toMatchObject([2, ended]);
    const { items, error } = await drain(client.resume(choice, payloads));
    expect(error).toBeUndefined();
    // The last one handed out was never acknowledged: the run ended with it.
    expect(items.map(({ index }) => index).toSorted()).toEqual(expect.arrayContaining([2, 3, 4, 5, 6, 7, 8]));
  });

  it.each([-1, 1.5, Number.NaN, '5'])('refuses %j', (maxFailures) => {
    expect(() => client.runBatch([], { maxConcurrentSessions: 1, maxFailures } as never)).toThrow(
      /`maxFailures` to be a number of rollouts/,
    );
  });
});
