import { describe, expect, it } from 'vitest';
import { readGroupRecord } from './read-group-record.ts';
import { readRolloutRecord, readSampleRecord, RolloutNames } from './read-rollout-record.ts';
import { toWireNames } from './wire-names.ts';

const outcome = {
  outcome: 'ok',
  reward: 0.5,
  rewardProblem: null,
  error: null,
  sessionId: 's-1',
  invocationId: null,
  resultKey: 'r/1',
  submittedAtMs: 1_000,
  timings: { acceptedMs: 1, storedMs: null, noticedMs: 2, settledMs: 3, stoppedMs: null },
  attempts: [
    {
      attempt: 0,
      outcome: 'ok',
      sessionId: 's-1',
      resultKey: 'r/1',
      submittedAtMs: 1_000,
      settledMs: 3,
      throttled: 0,
      resent: 1,
      error: null,
    },
  ],
};
const line = { schema: 'art.rollout.v1', id: 'a', inputId: 'in', runId: 'r', ...outcome };

describe('readRolloutRecord', () => {
  it('reads what was written', () => {
    const conversation = { messages: [{ role: 'user' }], calls: [] };
    const written = { ...line, modelCalls: 2, failedCalls: 0, conversation, document: { answer: 1 } };
    expect(readRolloutRecord(written)).toEqual(written);
  });

  it.each<[unknown, object]>([
    [{ outcome: 'future_kind' }, { outcome: 'future_kind' }],
    [
      { outcome: 7, reward: 'high', timings: [], attempts: {} },
      { outcome: 'unknown', reward: null, attempts: [] },
    ],
    [{ error: { code: 1, stack: 2 } }, { error: { code: 'unknown', message: '', stack: null } }],
    [{ modelCalls: -1, failedCalls: 'NaN', conversation: { messages: 1 } }, { modelCalls: undefined }],
    [
      { id: undefined, inputId: null },
      { id: 's-1', inputId: 's-1' },
    ],
    [{ attempts: [null, { throttled: '3' }] }, { attempts: [{ attempt: 0 }, { attempt: 1, throttled: 0 }] }],
  ])('takes what is of another type for unknown: %j', (given, expected) => {
    expect(readRolloutRecord({ ...line, ...(given as object) })).toMatchObject(expected);
  });

  it.each([
    undefined,
    null,
    [],
    'text',
    {},
    { ...line, schema: 'art.rollout' },
    { ...line, schema: undefined },
  ])('passes over %j', (value) => {
    expect(readRolloutRecord(value)).toBeUndefined();
    expect(readSampleRecord(value)).toBeUndefined();
    expect(readGroupRecord(value)).toBeUndefined();
  });

  it('refuses what a newer version wrote, by its name', () => {
    expect(() => readRolloutRecord({ ...line, schema: 'art.rollout.v2' })).toThrow(
      /got art\.rollout\.v2: a newer/,
    );
    expect(() => readGroupRecord({ schema: 'art.group.v12', members: [] })).toThrow(/Update this program/);
  });

  it('names rollouts of a file with several runs', () => {
    const names = new RolloutNames();
    const ids = ['r', 'r', 'other'].map((runId) => readRolloutRecord({ ...line, runId }, names)?.id);
    expect(ids).toEqual(['a', 'a', 'other/a']);
  });
});

describe('readSampleRecord', () => {
  it('reads another rollout as the only sample of a task', () => {
    const rewardProblem = { kind: 'absent', message: 'none' };
    expect(readSampleRecord(line)).toMatchObject({ taskId: 'a', sample: 0, score: 0.5, rewardedBy: 'agent' });
    expect(readSampleRecord({ ...line, reward: null, rewardProblem })).toMatchObject({
      score: null,
      rewardedBy: null,
      judgeError: { code: 'reward_absent', message: 'none' },
      latencyMs: 3,
      modelCalls: null,
    });
  });

  it('takes what an agent left without reward for judged where a judge gave one', () => {
    const verdict = { score: 1, rewardedBy: 'judge', judgeError: null };
    const rewardProblem = { kind: 'absent', message: 'none' };
    expect(readSampleRecord({ ...line, rewardProblem, ...verdict })).toMatchObject(verdict);
  });

  it('keeps the verdict of a judge, also that it gave none', () => {
    const verdict = {
      score: null,
      rewardedBy: null,
      judge: 'j',
      metrics: { a: 1, b: 'x' },
      remarks: ['ok', 1],
    };
    expect(readSampleRecord({ ...line, taskId: 't', sample: 3, ...verdict })).toMatchObject({
      taskId: 't',
      sample: 3,
      score: null,
      rewardedBy: null,
      metrics: { a: 1 },
      remarks: ['ok'],
    });
  });
});

describe('readGroupRecord', () => {
  const member = { ...outcome, member: 0, status: 'kept', advantage: 0.25, weight: 1 };
  const group = {
    schema: 'art.group.v1',
    id: 'g',
    index: 2,
    inputId: 'in',
    kind: 'complete',
    usable: true,
    rewards: [0.5, null],
    meanReward: 0.5,
    advantages: [0.25, null],
    missing: 0,
    elapsedMs: 9,
    members: [member],
  };

  it('reads what was written, also with names as in Python', () => {
    expect(readGroupRecord(group)).toMatchObject(group);
    const { schema: _, ...record } = group;
    expect(readGroupRecord(toWireNames({ event: 'group', ...record }))).toMatchObject(group);
  });

  it('gives each member its rows where they are in our own format', () => {
    const rows = [
      { rollout_id: 's-1', loss_mask: [], turn_spans: [] },
      { rollout_id: 's-2', loss_mask: [], turn_spans: [] },
    ];
    expect(readGroupRecord({ ...group, rowFormat: 'art', rows })?.members[0]?.rows).toEqual(rows.slice(0, 1));
    expect(readGroupRecord({ ...group, rowFormat: 'slime', rows })?.members[0]?.rows).toBeUndefined();
  });
});
