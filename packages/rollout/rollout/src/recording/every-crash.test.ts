import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { BatchItem } from '../batch/batch-item.ts';
import { RolloutClient } from '../client/rollout-client.ts';
import type { Group } from '../groups/group.ts';
import { placeOverrides, ScriptedGroupRuntime } from '../groups/scripted-group-runtime.fixture.ts';
import { inFakeTime } from '../in-fake-time.fixture.ts';
import { ScriptedRuntime, type SessionScript } from '../scripted-runtime.fixture.ts';
import { MemoryJournal } from './memory-journal.fixture.ts';
import { MortalRuntime } from './mortal-runtime.fixture.ts';

interface Work {
  script: SessionScript;
}

let runtime: ScriptedRuntime;
let journal: MemoryJournal;

beforeEach(() => {
  vi.useFakeTimers();
  runtime = new ScriptedRuntime();
  journal = new MemoryJournal();
});
afterEach(() => {
  vi.clearAllTimers();
  vi.useRealTimers();
});

const clientOn = (on: RolloutClient | MortalRuntime | ScriptedRuntime): RolloutClient =>
  new RolloutClient({
    runtime: on as ScriptedRuntime,
    store: runtime.store,
    bucket: 'b',
    expId: 'e',
    onWarning: () => undefined,
  });

const indexed = (speaksRip: boolean): Work[] =>
  [
    { storeAfterMs: 30 },
    { storeAfterMs: 400 },
    { storeAfterMs: 200, text: '{"status_code": 500, "stop_reason": "x"}' },
    { storeAfterMs: 2_000 },
  ].map((script) => ({ script: { ...script, speaksRip } }));

const acknowledgedIn = (runId: string): number[] =>
  (journal.runs.get(runId) ?? [])
    .map((line) => JSON.parse(line) as { type: string; item: string })
    .flatMap(({ type, item }) => (type === 'acknowledged' ? [Number(item)] : []));

/** Runs until the process dies at the line that is one too many, or is done. */
async function firstLife<Item extends BatchItem | Group>(
  lines: number,
  open: (client: RolloutClient) => AsyncIterable<Item>,
): Promise<'died' | 'done'> {
  const mortal = new MortalRuntime(runtime);
  journal.mostLines = lines;
  journal.onCrash = () => {
    mortal.isDead = true;
  };
  let isDone = false;
  void Array.fromAsync(open(clientOn(mortal))).then(() => (isDone = true));
  for (let step = 0; step < 5_000 && !isDone && !mortal.isDead; step += 1)
    await vi.advanceTimersByTimeAsync(10);
  journal.mostLines = Number.POSITIVE_INFINITY;
  return mortal.isDead ? 'died' : 'done';
}

const downtimesMs = [0, 300, 3_600_000];
const crashes = Array.from({ length: 26 }, (_, lines) => lines + 2);

describe.each([true, false])('a batch whose agents tell repeats apart: %s', (speaksRip) => {
  it.each(crashes)('killed at line %i, yields everything once and runs no attempt twice', async (lines) => {
    for (const downtimeMs of downtimesMs) {
      runtime = new ScriptedRuntime();
      journal = new MemoryJournal();
      const payloads = indexed(speaksRip);
      const ended = await firstLife(lines, (client) =>
        client.runBatch(payloads, { maxConcurrentSessions: 3, journal: { journal, runId: 'r' } }),
      );
      await vi.advanceTimersByTimeAsync(downtimeMs);
      const acknowledged = acknowledgedIn('r');
      await using client = clientOn(runtime);
      const items = await inFakeTime(Array.fromAsync(client.resume({ journal, runId: 'r' }, payloads)));
      const all = [...acknowledged, ...items.map((item) => item.index)];
      expect(all.toSorted()).toEqual([0, 1, 2, 3]);
      for (const { index, outcome } of items) expect(outcome.kind).toBe(index === 2 ? 'agent_error' : 'ok');
      expect(Math.max(...runtime.handlerRuns.values())).toBe(1);
      expect([...runtime.live]).toEqual([]);
      expect(acknowledgedIn('r').toSorted()).toEqual([0, 1, 2, 3]);
      if (ended === 'done') expect(items).toEqual([]);
      // A third life has nothing left to do.
      expect(await inFakeTime(Array.fromAsync(client.resume(journal, payloads)))).toEqual([]);
      await inFakeTime(client.close());
    }
  });
});

describe.each([true, false])('groups whose agents tell repeats apart: %s', (speaksRip) => {
  it.each(Array.from({ length: 34 }, (_, lines) => lines + 2))('killed at line %i', async (lines) => {
    const inputs = indexed(speaksRip).slice(0, 3);
    const options = {
      rolloutsPerInput: 3,
      keepFirst: 2,
      minGroupSize: 1,
      maxConcurrentSessions: 5,
      fallback: { agent_error: { reward: 0 } },
      inputId: (_: Work, index: number) => String(index),
    } as const;
    await firstLife(lines, (client) =>
      client.runGroups(inputs, { ...options, journal: { journal, runId: 'r' } }),
    );
    const acknowledged = acknowledgedIn('r');
    await vi.advanceTimersByTimeAsync(100);
    await using client = clientOn(runtime);
    const groups = await inFakeTime(Array.fromAsync(client.resumeGroups(journal, inputs, options)));
    expect([...acknowledged, ...groups.map((group) => group.index)].toSorted()).toEqual([0, 1, 2]);
    for (const group of groups) {
      expect(group.kind).toBe('complete');
      expect(group.inputId).toBe(String(group.index));
      expect(group.rewards).toEqual(group.index === 2 ? [0, 0] : [1, 1]);
    }
    expect(Math.max(...runtime.handlerRuns.values())).toBe(1);
    expect([...runtime.live]).toEqual([]);
    await inFakeTime(client.close());
  });
});

describe('groups with a member that was retried', () => {
  it.each(Array.from({ length: 16 }, (_, lines) => lines + 2))('killed at line %i', async (lines) => {
    const group = new ScriptedGroupRuntime();
    group.scriptOf = ({ member, attempt }) => ({
      speaksRip: true,
      ...(member + attempt === 0 && { text: '{"status_code": 500, "stop_reason": "x"}' }),
    });
    runtime = group;
    const options = { rolloutsPerInput: 2, retry: { agent_error: 1 }, overrides: placeOverrides };
    await firstLife(lines, (client) =>
      client.runGroups([{}], { ...options, maxConcurrentSessions: 1, journal: { journal, runId: 'r' } }),
    );
    // The failed document is read last, when it is not needed any more.
    const { exists } = runtime.store;
    let asked = 0;
    runtime.store.exists = async (at, call) => {
      if ((asked += 1) === 1) await new Promise((resolve) => void setTimeout(resolve, 1_000));
      return exists.call(runtime.store, at, call);
    };
    await using client = clientOn(runtime);
    const again = { ...options, maxConcurrentSessions: 2 };
    const groups = await inFakeTime(Array.fromAsync(client.resumeGroups(journal, [{}], again)));
    if (acknowledgedIn('r').length === 0 || groups.length > 0)
      expect(groups).toMatchObject([{ kind: 'complete', rewards: [1, 1] }]);
    // Nothing that was stored is made again.
    expect(Math.max(...runtime.handlerRuns.values())).toBe(1);
    expect(runtime.handlerRuns.size).toBe(3);
    await inFakeTime(client.close());
  });
});
