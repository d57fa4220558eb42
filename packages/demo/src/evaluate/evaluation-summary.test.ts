import { ArtError } from '@art/protocol';
import type { BatchItem } from '@art/client';
import { describe, expect, it } from 'vitest';
import { nothingCaptured } from './capture-counts.ts';
import { evaluationRecord, type EvaluationRecord } from './evaluation-record.ts';
import { evaluationSummary, isGoodEvaluation } from './evaluation-summary.ts';

const problem = { question: 'How many?', answer: '5' };
const ok = (index: number, reward: number | undefined, ms = 100): BatchItem => ({
  id: String(index),
  index,
  inputId: `problem-${index}`,
  sessionId: `session-${index}`,
  invocationId: `invocation-${index}`,
  resultKey: `math/problem-${index}/session-${index}.json`,
  outcome: {
    kind: 'ok',
    reward,
    document: { rewards: reward, response: '#### 5', finishedAtMs: 1_000 + 3 * ms },
  },
  timings: {
    submittedAtMs: 1_000,
    acceptedMs: ms,
    noticedMs: 3 * ms + 40,
    settledMs: 3 * ms + 50,
    stoppedMs: undefined,
  },
  attempt: 0,
  throttled: 0,
  resent: 0,
  attempts: [],
  finished: () => Promise.reject(new Error('nothing ran')),
  acknowledge: () => Promise.resolve(),
  trajectory: () => Promise.reject(new Error('nothing was captured')),
});
const lost = (index: number): BatchItem => ({
  ...ok(index, 1),
  outcome: { kind: 'lost', error: new ArtError({ code: 'ART_ROLLOUT_LOST', message: 'It died.' }) },
  timings: {
    submittedAtMs: 1_000,
    acceptedMs: 120.04,
    noticedMs: undefined,
    settledMs: 500,
    stoppedMs: undefined,
  },
});
const captured = { turns: 240, sampledTokens: 12_345, rows: 98, trainedTokens: 12_000 };
const records = (items: BatchItem[]): EvaluationRecord[] =>
  items.map((item) => evaluationRecord(item, problem));

describe('evaluationRecord', () => {
  it('has reward, response and the times between', () => {
    expect(evaluationRecord(ok(3, 1), problem)).toEqual({
      index: 3,
      question: 'How many?',
      answer: '5',
      outcome: 'ok',
      reward: 1,
      response: '#### 5',
      error: null,
      errorCode: null,
      inputId: 'problem-3',
      sessionId: 'session-3',
      sessionStartMs: 100,
      runMs: 200,
      detectionLagMs: 40,
      totalMs: 350,
    });
  });

  it('has no reward where the rollout failed', () => {
    expect(evaluationRecord(lost(1), problem)).toMatchObject({
      outcome: 'lost',
      reward: null,
      error: 'It died.',
      errorCode: 'ART_ROLLOUT_LOST',
      sessionStartMs: 120,
      runMs: null,
      detectionLagMs: null,
    });
  });
});

describe('evaluationSummary', () => {
  it('tells accuracy, outcomes and times', () => {
    const all = records([
      ...Array.from({ length: 80 }, (_, index) => ok(index, 1, index + 1)),
      ...Array.from({ length: 20 }, (_, index) => ok(80 + index, 0, 500)),
    ]);
    const summary = evaluationSummary(all, {
      total: 100,
      elapsedMs: 20_000,
      scripted: { errorRate: 0.2, answered: 100, mistaken: 20, gaveUp: 0 },
      captured,
    });
    expect(summary).toContain(
      'captured        12,345 tokens in 240 model calls; 12,000 of them train, in 98 rows',
    );
    expect(summary).toContain('100 rollouts in 20.0 s (5.0/s)');
    expect(summary).toContain('80.0 % (80 of 100), 95 % interval 71.1 % to 86.7 %');
    expect(summary).toContain(
      'expected accuracy 80.0 % (--error-rate 0.2); it really made 20 mistakes in 100 answers',
    );
    expect(summary).toContain('outcomes        ok 100');
    expect(summary).toMatch(/session start +50 ms +500 ms/);
    expect(summary).toMatch(/run time +100 ms +1\.0 s/);
    expect(summary).toMatch(/detection lag +40 ms +40 ms/);
  });

  it('does not take a failed rollout for a wrong answer, and shows why it failed', () => {
    const summary = evaluationSummary(records([ok(0, 1), lost(1), lost(2)]), {
      total: 10,
      elapsedMs: 1_000,
      scripted: undefined,
      captured,
    });
    expect(summary).toContain('3 of 10 rollouts');
    expect(summary).toContain('100.0 % (1 of 1)');
    expect(summary).toContain('ok 1, lost 2');
    expect(summary).toContain('lost, session session-1: It died.');
    expect(summary).not.toContain('scripted');
  });

  it('says when the problems were not for the scripted model', () => {
    const scripted = { errorRate: 0.2, answered: 0, mistaken: 0, gaveUp: 7 };
    expect(
      evaluationSummary(records([ok(0, 0)]), { total: 1, elapsedMs: 1_000, scripted, captured }),
    ).toContain('could not solve 7 problems');
  });

  it('says where the server of a model gives no token ids', () => {
    const textOnly = { ...nothingCaptured, turns: 7 };
    const context = { total: 1, elapsedMs: 1_000, scripted: undefined, captured: textOnly };
    expect(evaluationSummary(records([ok(0, 0)]), context)).toContain('no tokens in 7 model calls');
  });

  it('knows nothing without rollouts', () => {
    const summary = evaluationSummary([], {
      total: 10,
      elapsedMs: 0,
      scripted: undefined,
      captured: nothingCaptured,
    });
    expect(summary).toContain('accuracy        unknown');
    expect(summary).toContain('outcomes        ok 0');
    expect(summary).toMatch(/session start +- +-/);
  });
});

it('is good from 95 % of all problems upwards', () => {
  const of = (good: number, bad: number) =>
    records([
      ...Array.from({ length: good }, (_, index) => ok(index, 0)),
      ...Array.from({ length: bad }, (_, index) => lost(good + index)),
    ]);
  expect(isGoodEvaluation(of(95, 5), 100)).toBe(true);
  expect(isGoodEvaluation(of(94, 6), 100)).toBe(false);
  expect(isGoodEvaluation(of(50, 0), 100)).toBe(false);
});
