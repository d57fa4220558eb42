import type { LearningStep } from '../learn.ts';
import type { RunKind } from '../options.ts';

/** A line of `learn.jsonl`. */
export interface StepRecord {
  run: RunKind;
  seed: number;
  /** From 1. */
  step: number;
  reward: number;
  /** Mean reward of this step and the nine before; undefined before the tenth. */
  meanOfTen: number | undefined;
  rollouts: number;
  withoutRows: number;
  rows: number;
  trainedTokens: number;
  loss: number;
  /** By how much engine and trainer differ in a logprob, on average. */
  logprobGap: number;
  rolloutMs: number;
  updateMs: number;
}

/** @param before The records of the same run, in their order. */
export function stepRecord(
  { step, reward, rollouts, withoutRows, rows, update, rolloutMs, updateMs }: LearningStep,
  { run, seed, before }: { run: RunKind; seed: number; before: readonly StepRecord[] },
): StepRecord {
  const { loss, logprobGap, trainedTokens } = update;
  const lastTen = [...before.slice(-9).map((record) => record.reward), reward];
  const meanOfTen = lastTen.length < 10 ? undefined : lastTen.reduce((sum, value) => sum + value, 0) / 10;
  return {
    run,
    seed,
    step,
    reward,
    meanOfTen,
    rollouts,
    withoutRows,
    rows,
    trainedTokens,
    loss,
    logprobGap,
    rolloutMs,
    updateMs,
  };
}

/** Values of the plots, step by step: the mean of the last ten steps, at the beginning of as many as there are. */
export function trendOf(records: readonly StepRecord[]): number[] {
  return records.map((_record, index) => {
    const last = records.slice(Math.max(0, index - 9), index + 1);
    return last.reduce((sum, { reward }) => sum + reward, 0) / last.length;
  });
}
