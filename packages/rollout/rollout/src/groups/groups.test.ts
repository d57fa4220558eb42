import { isThorough } from '@art/tooling/thorough';
import { afterEach, beforeEach, describe, expect, expectTypeOf, it, vi } from 'vitest';
import { RolloutClient } from '../client/rollout-client.ts';
import { inFakeTime } from '../in-fake-time.fixture.ts';
import type { RolloutEvent } from '../lifecycle/rollout-event.ts';
import type { SessionScript } from '../scripted-runtime.fixture.ts';
import type { AttemptPlace } from '../items/attempt.ts';
import type { RunHandle } from '../run/run.ts';
import type { RunProgress } from '../run/run-progress.ts';
import type { GroupOptions, InputSource } from './group-options.ts';
import type { Group, MaskedMember } from './group.ts';
import { documentWith, placeOverrides, ScriptedGroupRuntime } from './scripted-group-runtime.fixture.ts';

interface Problem {
  problem: number;
}

let runtime: ScriptedGroupRuntime;
let client: RolloutClient;

beforeEach(() => {
  vi.useFakeTimers();
  runtime = new ScriptedGroupRuntime();
  client = new RolloutClient({ runtime, store: runtime.store, bucket: 'b', expId: 'e' });
});
afterEach(async () => {
  runtime.clearTimers();
  await inFakeTime(client.close());
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

const problems = (count: number): Problem[] => Array.from({ length: count }, (_, problem) => ({ problem }));
const defaults = {
  rolloutsPerInput: 4,
  maxConcurrentSessions: 16,
  timeoutMs: 5_000,
  overrides: placeOverrides,
};
const start = (
  inputs: InputSource<Problem>,
  options: Partial<GroupOptions<Problem>> = {},
): RunHandle<Group<Problem>> => client.runGroups(inputs, { ...defaults, ...options });
const collect = (
  inputs: InputSource<Problem>,
  options: Partial<GroupOptions<Problem>> = {},
): Promise<Group<Problem>[]> => inFakeTime(Array.fromAsync(start(inputs, options)));
/** Runs one group whose members do what is written for them, by member and attempt. */
async function runOne(
  scripts: (place: AttemptPlace) => SessionScript,
  options: Partial<GroupOptions<Problem>> = {},
): Promise<Group<Problem>> {
  runtime.scriptOf = scripts;
  const [group, ...others] = await collect(problems(1), options);
  expect(others).toEqual([]);
  expect(runtime.live.size).toBe(0);
  return group!;
}
/** No further attempts. */
const never = { lost: 0, infra_error: 0, throttled: 0 };
const statuses = (group: Group): string[] =>
  [...group.members, ...group.leftOut].toSorted((a, b) => a.member - b.member).map((member) => member.status);

describe('runGroups', () => {
  it('yields each input once with all its rewards, under one input id and sessions of its own', async () => {
    runtime.scriptOf = ({ index, member }) => ({
      text: documentWith([9, index + member / 10]),
      storeAfterMs: 1_000 - index * 300 + member,
    });
    const groups = await collect(problems(3), { advantages: {} });
    // In the order in which they settle.
    expect(groups.map((group) => group.index)).toEqual([2, 1, 0]);
    for (const group of groups) {
      expect(group).toMatchObject({ kind: 'complete', usable: true, missing: 0, leftOut: [] });
      expect(group.input).toEqual({ problem: group.index });
      expect(group.rewards).toEqual([0, 1, 2, 3].map((member) => group.index + member / 10));
      expect(group.meanReward).toBeCloseTo(group.index + 0.15);
      expect(group.advantages!.map((advantage) => Math.round(advantage! * 100))).toEqual([-15, -5, 5, 15]);
      expect(group.members.map((member) => member.advantage)).toEqual(group.advantages);
      expect(group.elapsedMs).toBeGreaterThanOrEqual(1_000 - group.index * 300);
      for (const member of group.members) {
        expect(member).toMatchObject({ status: 'kept', weight: 1, outcome: { kind: 'ok' } });
        expect(member.attempts).toEqual([member.attempt]);
        expect(member.attempt.resultKey).toBe(`e/${group.inputId}/${member.attempt.sessionId}.json`);
        expect(member.attempt.timings.settledMs).toBeGreaterThan(0);
      }
    }
    expect(new Set(runtime.sends.map((send) => send.sessionId)).size).toBe(12);
    const inputIds = groups.toReversed().map((group) => group.inputId);
    expect(new Set(inputIds).size).toBe(3);
    expect(inputIds.toSorted()).toEqual(inputIds);
    expect(new Set(inputIds.map((id) => id.slice(0, -8))).size).toBe(1);
    expect(runtime.live.size).toBe(0);
  });

  it('gives no advantages unless asked', async () => {
    const group = await runOne(() => ({}));
    expect(group.advantages).toBeUndefined();
    expect(group.members.map((member) => member.advantage)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("takes the caller's input and session ids, and tells every attempt its place", async () => {
    runtime.scriptOf = ({ member, attempt }) => (member === 1 && attempt === 0 ? { failures: [429] } : {});
    const asked: number[] = [];
    const groups = await collect(problems(2), {
      rolloutsPerInput: 2,
      inputId: ({ problem }, index) => {
        asked.push(index);
        return `gsm8k/${problem}`;
      },
      sessionId: ({ problem }, { member, attempt }) =>
        `session-${problem}-${member}-${attempt}-${'0'.repeat(30)}`,
    });
    expect(asked).toEqual([0, 1]);
    expect(groups.map((group) => group.inputId).toSorted()).toEqual(['gsm8k/0', 'gsm8k/1']);
    for (const group of groups) {
      expect(group.members[1]!.attempts.map((attempt) => attempt.sessionId.slice(0, 13))).toEqual([
        `session-${group.index}-1-0`,
        `session-${group.index}-1-1`,
      ]);
    }
  });

  it('starts groups in the order of the inputs, members of one together, retries first', async () => {
    runtime.scriptOf = ({ index, member, attempt }) =>
      index === 0 && member === 0 && attempt === 0 ? { text: 'garbage' } : { storeAfterMs: 500 };
    const retry = { invalid_result: 1 };
    await collect(problems(3), { rolloutsPerInput: 3, maxConcurrentSessions: 2, retry });
    expect(runtime.places.map((place) => `${place.index}.${place.member}.${place.attempt}`)).toEqual([
      '0.0.0',
      '0.1.0',
      '0.0.1',
      '0.2.0',
      '1.0.0',
      '1.1.0',
      '1.2.0',
      '2.0.0',
      '2.1.0',
      '2.2.0',
    ]);
  });

  it('keeps one limit over all groups, and every place in use', async () => {
    runtime.scriptOf = () => ({ storeAfterMs: 400 });
    const groups = await collect(problems(10), { rolloutsPerInput: 4, maxConcurrentSessions: 6 });
    expect(groups).toHaveLength(10);
    expect(runtime.peakLive).toBe(6);
    const starts = groups
      .flatMap((group) => group.members.map((member) => member.attempt.timings.submittedAtMs))
      .toSorted((a, b) => a - b);
    // 40 rollouts on 6 places are 7 rounds; a place that is idle at the end of a group would make it more.
    expect(starts.at(-1)! - starts[0]!).toBeLessThan(6 * 450);
  });
});

describe('failed members', () => {
  it('tries a lost one again in a new session, and records both', async () => {
    const group = await runOne(({ member, attempt }) =>
      member === 2 && attempt === 0
        ? { diesAfterMs: 100, storesNothing: true }
        : { text: documentWith(member) },
    );
    expect(group).toMatchObject({ kind: 'complete', rewards: [0, 1, 2, 3] });
    const [first, second] = group.members[2]!.attempts;
    expect(first!.outcome!.kind).toBe('lost');
    expect(second!.outcome!.kind).toBe('ok');
    expect(second!.sessionId).not.toBe(first!.sessionId);
    expect(second!.resultKey).not.toBe(first!.resultKey);
    expect(group.members[2]!.attempt).toBe(second);
  });

  it('tries one whose session did not start again after a pause, and counts only what the agent did', async () => {
    const unstarted = { failures: [424], failureMessage: 'Runtime initialization time exceeded.' };
    const group = await runOne(({ member, attempt }) =>
      member === 2 && attempt < 2 ? unstarted : { text: documentWith(member) },
    );
    expect(group).toMatchObject({ kind: 'complete', rewards: [0, 1, 2, 3] });
    expect(group.members[2]!.attempts.map(({ outcome }) => outcome!.kind)).toEqual(['lost', 'lost', 'ok']);
    const submitted = group.members[2]!.attempts.map(({ timings }) => timings.submittedAtMs);
    expect(submitted[1]! - submitted[0]!).toBeGreaterThanOrEqual(1_000);
    expect(submitted[2]! - submitted[1]!).toBeGreaterThanOrEqual(2_000);
  });

  it.each(['left', 'out of time'])('leaves no pause before a retry behind when it is %s', async (how) => {
    const failureMessage = 'Runtime initialization time exceeded.';
    runtime.scriptOf = ({ index }) => (index === 1 ? { failures: [424], failureMessage } : {});
    const groups = start(problems(2), { batchTimeoutMs: how === 'left' ? undefined : 700 });
    await inFakeTime(groups.next());
    await vi.advanceTimersByTimeAsync(300);
    if (how === 'left') await inFakeTime(groups.return());
    else expect(await inFakeTime(groups.next())).toMatchObject({ value: { index: 1, kind: 'failed' } });
    // What is left of it would be found among the timers after the test.
    await inFakeTime(groups.return());
  });

  it.each<[string, SessionScript]>([
    ['lost', { storesNothing: true, diesAfterMs: 100 }],
    ['throttled', { failures: [429] }],
    ['rejected', { failures: [403] }],
    ['invalid_result', { text: 'garbage' }],
    ['timeout', { storesNothing: true }],
  ])('%s never enters the mean', async (kind, script) => {
    const group = await runOne(({ member }) => (member === 1 ? script : { text: documentWith(member + 1) }), {
      retry: never,
      advantages: {},
    });
    expect(group).toMatchObject({
      kind: 'degraded',
      usable: true,
      missing: 1,
      rewards: [1, undefined, 3, 4],
    });
    expect(group.meanReward).toBeCloseTo(8 / 3);
    expect(group.advantages![1]).toBeUndefined();
    expect(group.advantages![0]! + group.advantages![2]! + group.advantages![3]!).toBeCloseTo(0);
    expect(group.members[1]).toMatchObject({
      status: 'masked',
      weight: 0,
      reward: undefined,
      advantage: undefined,
      cause: kind,
      outcome: { kind },
    });
  });

  it('drops where told to', async () => {
    const group = await runOne(
      ({ member }) => (member === 1 ? { failures: [403, 403] } : { text: documentWith(member) }),
      { fallback: { rejected: 'drop' } },
    );
    expect(group.rewards).toEqual([0, 2, 3]);
    expect(group.members.map((member) => member.member)).toEqual([0, 2, 3]);
    expect(group.leftOut).toMatchObject([{ member: 1, status: 'dropped', outcome: { kind: 'rejected' } }]);
    expect(group).toMatchObject({ kind: 'degraded', missing: 1 });
  });

  const boom: SessionScript = { text: '{"status_code": 500, "stop_reason": "boom"}' };

  it('leaves an agent error out unless told otherwise', async () => {
    const group = await runOne(({ member }) => (member === 0 ? boom : { text: documentWith(1) }));
    expect(group).toMatchObject({ kind: 'degraded', meanReward: 1, rewards: [undefined, 1, 1, 1] });
    expect(group.members[0]).toMatchObject({ cause: 'agent_error', outcome: { kind: 'agent_error' } });
    expect((group.members[0] as MaskedMember).error.message).toContain('boom');
  });

  it('counts an agent error as the reward that it is given', async () => {
    const group = await runOne(({ member }) => (member === 0 ? boom : { text: documentWith(1) }), {
      fallback: { agent_error: { reward: -1 } },
    });
    expect(group).toMatchObject({ kind: 'complete', meanReward: 0.5, rewards: [-1, 1, 1, 1] });
    expect(group.members[0]).toMatchObject({ status: 'kept', weight: 1, outcome: { kind: 'agent_error' } });
  });

  const modelDown: SessionScript = { text: '{"status_code": 503, "stop_reason": "infrastructure_error"}' };

  it("never takes an outage of the agent's infrastructure for an agent error, whatever that is given", async () => {
    const group = await runOne(({ member }) => (member === 0 ? modelDown : { text: documentWith(1) }), {
      retry: { agent_error: 9 },
      fallback: { agent_error: { reward: -1 } },
    });
    expect(group).toMatchObject({ kind: 'degraded', meanReward: 1, rewards: [undefined, 1, 1, 1] });
    expect(group.members[0]).toMatchObject({
      status: 'masked',
      cause: 'infra_error',
      error: { code: 'ART_INFRASTRUCTURE_ERROR' },
      outcome: { kind: 'infra_error' },
    });
    expect(group.members[0]!.attempts).toHaveLength(3);
  });

  it('tries again after an outage, not at once', async () => {
    const startedMs = Date.now();
    const group = await runOne(({ member, attempt }) =>
      member === 0 && attempt === 0 ? modelDown : { text: documentWith(1) },
    );
    expect(group).toMatchObject({ kind: 'complete', rewards: [1, 1, 1, 1] });
    expect(Date.now() - startedMs).toBeGreaterThan(1_000);
  });

  it('reads the scalar `reward` that newer trainers read, where there are no rewards', async () => {
    const group = await runOne(({ member }) => ({ text: `{"reward": ${member}, "status_code": 200}` }));
    expect(group).toMatchObject({ kind: 'complete', rewards: [0, 1, 2, 3] });
  });

  it.each(['NaN', '[1, Infinity]', '"high"', '[]', 'null'])(
    'treats a reward of %s as none, never as 0',
    async (rewards) => {
      const group = await runOne(
        ({ member }) =>
          member === 3 ? { text: `{"rewards": ${rewards}, "status_code": 200}` } : { text: documentWith(1) },
        { fallback: { agent_error: { reward: 0 } } },
      );
      expect(group).toMatchObject({ kind: 'degraded', meanReward: 1, rewards: [1, 1, 1, undefined] });
      expect(group.members[3]).toMatchObject({
        cause: 'no_reward',
        error: { code: 'ART_REWARD_INVALID' },
        outcome: { kind: 'ok' },
      });
    },
  );

  it('tells what a reward function threw', async () => {
    const group = await runOne(() => ({}), {
      rewardRule: () => {
        throw new Error('no such turn');
      },
    });
    expect(group.kind).toBe('failed');
    expect((group.members[0] as MaskedMember).error).toMatchObject({
      code: 'ART_REWARD_INVALID',
      message: expect.stringContaining('no such turn') as string,
    });
  });

  it('reduces the rewards of several turns by the rule', async () => {
    const group = await runOne(({ member }) => ({ text: documentWith([member, 10]) }), { rewardRule: 'sum' });
    expect(group.rewards).toEqual([10, 11, 12, 13]);
  });

  it('does not try again what cannot be sent', async () => {
    const [group] = await collect(['text'] as unknown as Problem[]);
    expect(group).toMatchObject({
      kind: 'failed',
      usable: false,
      advantages: undefined,
      meanReward: undefined,
    });
    const refused = group!.members[0] as MaskedMember;
    expect(refused.error.code).toBe('ART_INVALID_PAYLOAD');
    expect(refused.attempts).toHaveLength(1);
    expect(runtime.sends).toHaveLength(0);
  });

  it('refuses sessions that are used twice in a group', async () => {
    const [group] = await collect(problems(1), {
      sessionId: () => 'one-session-for-everybody-000000000000',
      minGroupSize: 1,
    });
    expect(group!.rewards).toEqual([1, undefined, undefined, undefined]);
    expect(group!.members[3]).toMatchObject({ error: { code: 'ART_DUPLICATE_ROLLOUT' } });
    expect(runtime.sends).toHaveLength(1);
  });

  it('gives a group whose input id cannot be had to the consumer as failed', async () => {
    const groups = await collect(problems(2), {
      inputId: ({ problem }) => {
        if (problem === 0) throw new Error('no id');
        return 'one';
      },
    });
    expect(groups.toSorted((a, b) => a.index - b.index)).toMatchObject([
      { kind: 'failed', inputId: '' },
      { kind: 'complete', inputId: 'one' },
    ]);
  });

  it('ends a group that cannot become viable, and stops the rest of it at once', async () => {
    const group = await runOne(({ member }) => (member < 2 ? { failures: [403] } : { storeAfterMs: 4_000 }), {
      minGroupSize: 3,
      advantages: {},
    });
    expect(group).toMatchObject({ kind: 'failed', usable: false, missing: 4, advantages: undefined });
    expect(statuses(group)).toEqual(['masked', 'masked', 'surplus', 'surplus']);
    expect(group.elapsedMs).toBeLessThan(1_000);
  });
});

describe('slow members', () => {
  it('starts another attempt beside a slow one, keeps the first reward and stops the other', async () => {
    const group = await runOne(
      ({ member, attempt }) =>
        member === 0 && attempt === 0 ? { storesNothing: true } : { text: documentWith(member) },
      { hedge: { afterMs: 1_000 } },
    );
    expect(group).toMatchObject({ kind: 'complete', rewards: [0, 1, 2, 3] });
    const [slow, hedge] = group.members[0]!.attempts;
    expect(slow!.outcome).toBeUndefined();
    expect(group.members[0]!.attempt).toBe(hedge);
    expect(group.elapsedMs).toBeGreaterThanOrEqual(1_000);
    expect(group.elapsedMs).toBeLessThan(3_000);
    expect(runtime.stops).toContain(slow!.sessionId);
  });

  it('keeps the slow one where it is first after all', async () => {
    const group = await runOne(
      ({ member, attempt }) =>
        member === 0 && attempt === 0
          ? { storeAfterMs: 1_500, text: documentWith(7) }
          : { text: documentWith(member), storeAfterMs: attempt === 0 ? 50 : 3_000 },
      { hedge: { afterMs: 1_000 } },
    );
    expect(group.rewards).toEqual([7, 1, 2, 3]);
    expect(group.members[0]!.attempts).toHaveLength(2);
  });

  it('hedges as often as allowed', async () => {
    const group = await runOne(({ member }) => (member === 0 ? { storesNothing: true } : {}), {
      hedge: { afterMs: 1_000, attempts: 2 },
      timeoutMs: 4_000,
    });
    expect(group.members[0]!.attempts).toHaveLength(3);
    expect(group.members[0]).toMatchObject({ status: 'masked', cause: 'timeout' });
  });
});

describe('over-sampling', () => {
  it('keeps the first rewards, stops the rest at once, and tells which', async () => {
    const group = await runOne(
      ({ member }) => ({ storeAfterMs: member < 2 ? 4_500 : 100 + member, text: documentWith(member) }),
      { rolloutsPerInput: 10, keepFirst: 8 },
    );
    expect(group).toMatchObject({ kind: 'complete', missing: 0, rewards: [2, 3, 4, 5, 6, 7, 8, 9] });
    expect(group.leftOut.map((member) => [member.member, member.status])).toEqual([
      [0, 'surplus'],
      [1, 'surplus'],
    ]);
    expect(group.leftOut[0]!.attempts).toMatchObject([{ outcome: undefined }]);
    expect(group.elapsedMs).toBeLessThan(2_000);
    expect(new Set(runtime.stops).size).toBe(10);
  });

  it('never starts members that the group no longer needs', async () => {
    const group = await runOne(({ member }) => ({ text: documentWith(member) }), {
      rolloutsPerInput: 10,
      keepFirst: 2,
      maxConcurrentSessions: 2,
    });
    expect(group.rewards).toEqual([0, 1]);
    expect(runtime.sends.length).toBeLessThanOrEqual(4);
    expect(group.leftOut).toHaveLength(8);
    expect(group.leftOut.at(-1)!.attempts).toEqual([]);
  });

  it('lets spare members make up for a lost one without a retry', async () => {
    const group = await runOne(
      ({ member }) =>
        member === 0 ? { failures: [403] } : { text: documentWith(member), storeAfterMs: 500 },
      { rolloutsPerInput: 5, keepFirst: 4, retry: { rejected: 3 }, fallback: { rejected: 'drop' } },
    );
    expect(group).toMatchObject({ kind: 'complete', rewards: [1, 2, 3, 4] });
    expect(runtime.sends).toHaveLength(5);
  });

  it('uses the places of stopped members for the next group', async () => {
    runtime.scriptOf = ({ member }) => (member === 0 ? { storesNothing: true } : {});
    const groups = await collect(problems(20), {
      rolloutsPerInput: 3,
      keepFirst: 2,
      maxConcurrentSessions: 3,
      timeoutMs: 100_000,
    });
    expect(groups).toHaveLength(20);
    expect(Math.max(...groups.map((group) => group.elapsedMs))).toBeLessThan(5_000);
    expect(runtime.live.size).toBe(0);
  });
});

describe('flow', () => {
  it('does not start before the first group is asked for', async () => {
    const run = start(problems(2));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(runtime.sends).toHaveLength(0);
    await run.return(undefined);
  });

  it.each(['iterable', 'async iterable'])(
    'opens no new group while a slow consumer has enough: %s',
    async (sort) => {
      let taken = 0;
      function* source(): Generator<Problem> {
        for (let problem = 0; problem < 20; problem += 1) {
          taken += 1;
          yield { problem };
        }
      }
      async function* asyncSource(): AsyncGenerator<Problem> {
        yield* source();
      }
      const run = start(sort === 'iterable' ? source() : asyncSource(), {
        maxConcurrentSessions: 8,
        maxBufferedItems: 3,
      });
      expect((await inFakeTime(run.next())).done).toBe(false);
      await vi.advanceTimersByTimeAsync(20_000);
      // One was handed out; three wait, and beyond them at most the two that fit in at once.
      expect(taken).toBeGreaterThanOrEqual(4);
      expect(taken).toBeLessThanOrEqual(1 + 3 + 2);
      expect(await inFakeTime(Array.fromAsync(run))).toHaveLength(19);
      expect(taken).toBe(20);
    },
  );

  it('retries although the next input does not come', async () => {
    const more = Promise.withResolvers<void>();
    async function* source(): AsyncGenerator<Problem> {
      yield { problem: 0 };
      await more.promise;
      yield { problem: 1 };
    }
    runtime.scriptOf = ({ attempt }) => (attempt === 0 ? { failures: [429] } : {});
    const run = start(source());
    const first = await inFakeTime(run.next());
    expect(first.value).toMatchObject({ index: 0, kind: 'complete' });
    more.resolve();
    expect(await inFakeTime(Array.fromAsync(run))).toMatchObject([{ index: 1, kind: 'complete' }]);
  });

  it.each(['break', 'throw', 'abort', 'close'])('%s leaves no session and closes the inputs', async (way) => {
    const abort = new AbortController();
    let closedSource = false;
    async function* source(): AsyncGenerator<Problem> {
      try {
        for (let problem = 0; ; problem += 1) yield { problem };
      } finally {
        closedSource = true;
      }
    }
    runtime.scriptOf = ({ index }) => (index === 0 ? {} : { storesNothing: true });
    const work = (async () => {
      const hedge = { afterMs: 60_000 };
      for await (const group of start(source(), { signal: abort.signal, timeoutMs: 200_000, hedge })) {
        expect(group.index).toBe(0);
        if (way === 'break') break;
        if (way === 'throw') throw new Error('consumer failed');
        if (way === 'abort') abort.abort(new Error('aborted'));
        if (way === 'close') await client.close();
      }
    })();
    const settled = inFakeTime(work);
    if (way === 'break') await settled;
    else {
      const message = { throw: 'consumer failed', abort: 'aborted', close: 'closed' }[way]!;
      await expect(settled).rejects.toThrow(message);
    }
    expect(runtime.live.size).toBe(0);
    expect(closedSource).toBe(true);
    const sent = runtime.sends.length;
    await vi.advanceTimersByTimeAsync(300_000);
    expect(runtime.sends).toHaveLength(sent);
  });

  it('leaves no timer of members that were waited for', async () => {
    runtime.scriptOf = ({ index }) => (index === 0 ? {} : { storesNothing: true });
    const run = start(problems(3), { hedge: { afterMs: 60_000 } });
    await inFakeTime(run.next());
    await inFakeTime(run.return(undefined));
    await inFakeTime(client.close());
    runtime.clearTimers();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('throws when aborted although settled groups wait', async () => {
    const abort = new AbortController();
    runtime.scriptOf = ({ index }) => (index === 3 ? { storesNothing: true } : {});
    const run = start(problems(4), { signal: abort.signal });
    await inFakeTime(run.next());
    await vi.advanceTimersByTimeAsync(2_000);
    abort.abort(new Error('enough'));
    await expect(inFakeTime(run.next())).rejects.toThrow('enough');
  });

  it('leaves at once although the inputs hang', async () => {
    async function* source(): AsyncGenerator<Problem> {
      yield { problem: 0 };
      await new Promise(() => undefined);
    }
    const run = start(source());
    await inFakeTime(run.next());
    await inFakeTime(run.return(undefined));
    expect(runtime.live.size).toBe(0);
  });

  it('an abort before the start sends nothing', async () => {
    const run = start(problems(2), { signal: AbortSignal.abort(new Error('no')) });
    await expect(run.next()).rejects.toThrow('no');
    expect(runtime.sends).toHaveLength(0);
  });

  it('finishes the groups that run, retries included, before it throws an error of the inputs', async () => {
    async function* source(): AsyncGenerator<Problem> {
      yield { problem: 0 };
      yield { problem: 1 };
      throw new Error('dataset ends here');
    }
    runtime.scriptOf = ({ attempt }) => (attempt === 0 ? { failures: [429] } : {});
    const groups: Group[] = [];
    const work = (async () => {
      for await (const group of start(source())) groups.push(group);
    })();
    await expect(inFakeTime(work)).rejects.toThrow('dataset ends here');
    expect(groups.map((group) => group.kind)).toEqual(['complete', 'complete']);
  });

  it('settles what there is when the time for the whole run is over', async () => {
    runtime.scriptOf = ({ member }) => (member < 2 ? {} : { storesNothing: true });
    const groups = await collect(problems(3), {
      maxConcurrentSessions: 3,
      batchTimeoutMs: 3_000,
      timeoutMs: 60_000,
    });
    expect(groups).toMatchObject([
      { index: 0, kind: 'degraded', missing: 2, leftOut: [] },
      { index: 1, kind: 'degraded', missing: 2, leftOut: [{ member: 3, status: 'surplus', attempts: [] }] },
    ]);
    expect(runtime.live.size).toBe(0);
  });

  it('yields nothing for no inputs', async () => {
    expect(await collect([])).toEqual([]);
  });

  it('reports groups, rollouts and every event', async () => {
    const progress: RunProgress[] = [];
    const events: RolloutEvent[] = [];
    runtime.scriptOf = ({ index, attempt }) =>
      index === 1 ? { failures: [403] } : attempt === 0 ? { failures: [429] } : {};
    const groups = await collect(problems(2), {
      retry: { throttled: 1 },
      onProgress: (snapshot) => progress.push(snapshot),
      onEvent: (event) => events.push(event),
    });
    const last = progress.at(-1)!;
    expect(last).toMatchObject({
      items: { total: 2, active: 0, settled: 2, kinds: { complete: 1, degraded: 0, failed: 1 } },
      submitted: 8,
      done: 8,
      active: 0,
      rewarded: 4,
    });
    expect(last.submitted + last.retried).toBe(runtime.sends.length);
    const attempt = groups.find((group) => group.index === 0)!.members[0]!.attempts[1]!;
    const ofAttempt = events.filter((event) => 'sessionId' in event && event.sessionId === attempt.sessionId);
    expect(ofAttempt.map((event) => event.type)).toEqual([
      'submitted',
      'accepted',
      'noticed',
      'settled',
      'session_stopped',
    ]);
    for (const event of ofAttempt) expect(event).toMatchObject({ index: 0, member: 0, attempt: 1 });
  });

  it('refuses wrong options at once', () => {
    expect(() => start(problems(1), { keepFirst: 5 })).toThrow(
      expect.objectContaining({ code: 'ART_INVALID_OPTION' }) as Error,
    );
  });

  it('holds its invariants through hundreds of groups of seeded trouble', async () => {
    const scripts: SessionScript[] = [
      { failures: [429] },
      { storesNothing: true, diesAfterMs: 50 },
      { text: 'garbage' },
      { text: '{"rewards": NaN}' },
      { text: '{"status_code": 500}' },
    ];
    runtime.scriptOf = ({ index, member, attempt }) => {
      const draw = (index * 7_919 + member * 104_729 + attempt * 1_299_709) % 100;
      return draw < 30
        ? scripts[draw % scripts.length]!
        : { storeAfterMs: draw * 10, text: documentWith(draw) };
    };
    const given = problems(isThorough ? 500 : 100);
    const groups = await collect(given, {
      rolloutsPerInput: 6,
      keepFirst: 4,
      maxConcurrentSessions: 64,
      advantages: { scale: 'sample' },
      timeoutMs: 2_000,
      hedge: { afterMs: 600 },
    });
    expect(groups.map((group) => group.index).toSorted((a, b) => a - b)).toEqual(given.map((p) => p.problem));
    expect(runtime.peakLive).toBeLessThanOrEqual(64);
    expect(runtime.live.size).toBe(0);
    for (const group of groups) {
      const kept = group.members.filter((member) => member.status === 'kept');
      expect(kept.length).toBeLessThanOrEqual(4);
      expect(group.kind).toBe(kept.length === 4 ? 'complete' : kept.length >= 2 ? 'degraded' : 'failed');
      expect(group.members.length + group.leftOut.length).toBe(6);
      expect(kept.every((member) => member.outcome.kind === 'ok')).toBe(true);
      if (group.usable) {
        const sum = group.advantages!.reduce<number>((total, advantage) => total + (advantage ?? 0), 0);
        expect(sum).toBeCloseTo(0);
      }
    }
    expect(new Set(groups.map((group) => group.kind)).size).toBeGreaterThan(1);
    const sessions = groups.flatMap((group) =>
      [...group.members, ...group.leftOut].flatMap((member) =>
        member.attempts.map((attempt) => attempt.sessionId),
      ),
    );
    expect(new Set(sessions).size).toBe(sessions.length);
  });
});

describe('types', () => {
  it("gives the caller's input back, and rewards only where there are some", () => {
    const run = start(problems(0));
    expectTypeOf(run).toEqualTypeOf<RunHandle<Group<Problem>>>();
    expectTypeOf(run).toExtend<AsyncGenerator<Group<Problem>, void, undefined>>();
    type Member = Group<Problem>['members'][number];
    expectTypeOf<Group<Problem>['input']>().toEqualTypeOf<Problem>();
    expectTypeOf<Extract<Member, { status: 'kept' }>['reward']>().toEqualTypeOf<number>();
    expectTypeOf<Extract<Member, { status: 'masked' }>['reward']>().toEqualTypeOf<undefined>();
    expectTypeOf<Extract<Group, { usable: false }>['kind']>().toEqualTypeOf<'failed'>();
    // @ts-expect-error infrastructure never has a reward
    const wrong: GroupOptions = { ...defaults, fallback: { lost: { reward: 0 } } };
    expect(wrong).toBeDefined();
  });
});
