import { isAbove, sumOfKnown } from '@art/ground/figures';
import type { KEstimate, MetricEstimate, PassEstimate, ResultsRecord } from '../records/results-record.ts';
import type { RunRecord } from '../records/run-record.ts';
import { excludedOf } from './excluded-samples.ts';
import { plainMean } from '../statistics/clustered-mean.ts';
import { estimateMean } from '../statistics/estimate-mean.ts';
import { reduceScores } from '../statistics/reduce-scores.ts';
import { clustersOf, meanEstimate, passEstimate } from './pass-estimate.ts';
import { passAtK, passPowerK } from '../statistics/pass-at-k.ts';
import { spread } from '../statistics/quantile.ts';
import {
  metricNames,
  metricOf,
  type RunScores,
  type SampleScore,
  scoresOf,
  type TaskScores,
} from './task-scores.ts';

const mostWorst = 10;

/** The figures of a run. @param maxFailures samples that may be excluded: a number, or a share below 1 */
export function summarize(run: RunRecord, scores: RunScores, maxFailures: number): ResultsRecord {
  const tasks = [...scores.tasks.entries()].map(([taskId, task]) => ({
    taskId,
    task,
    scores: scoresOf(task),
    counted: reduceScores(scoresOf(task), run),
  }));
  const samples = tasks.flatMap(({ task }) => [...task.samples.values()]);
  const { seed, passReward } = run;
  const wanted = run.tasks.count === null ? null : run.tasks.count * run.samples;
  const clusters = clustersOf(scores.tasks.values(), run.samples);
  const excluded = excludedOf(samples, maxFailures);
  const cost = total(samples, (sample) => sample.cost);
  const retried = samples.flatMap((sample) => sample.retried);
  return {
    schema: 'art.results.v1',
    runId: run.runId,
    seed,
    isComplete: wanted === null ? null : samples.length >= wanted,
    tasks: tasks.length,
    samples: { wanted, recorded: samples.length, scored: samples.length - excluded.count },
    outcomes: countBy(samples, ({ outcome }) => outcome),
    excluded,
    mean: meanEstimate(clusters, run) ?? null,
    meanOfTasks: meanOfTasks(tasks),
    passAt: overK(run.samples, (k) => passEstimate(clusters, passReward, k, passAtK)),
    passPower: overK(run.samples, (k) => passEstimate(clusters, passReward, k, passPowerK)),
    keptAnswers: samples.reduce((sum, { keptAnswers }) => sum + keptAnswers, 0),
    keptJudgements: samples.filter(({ isKept }) => isKept).length,
    metrics: metricEstimates(tasks),
    byTag: byTag(tasks, run),
    worst: worst(tasks),
    // An answer that was kept takes no time.
    latencyMs:
      spread(samples.flatMap(({ latencyMs, keptAnswers }) => (keptAnswers > 0 ? [] : (latencyMs ?? [])))) ??
      null,
    modelCalls: total(samples, ({ modelCalls }) => modelCalls),
    tokens: tokens(samples),
    cost: cost === null ? null : { total: cost, perSample: spread(samples.map((sample) => sample.cost!))! },
    retried: retried.length,
    retriedAfter: countBy(retried, (outcome) => outcome),
    throttled: total(samples, ({ throttled }) => throttled) ?? 0,
    wallMs: scores.wallMs,
    goal: null,
    ceiling: null,
  };
}

/** 1, 2, 4, ... and the number of samples itself. */
function overK(samples: number, estimate: (k: number) => PassEstimate | undefined): KEstimate[] {
  const ks = new Set<number>();
  for (let k = 1; k <= samples; k *= 2) ks.add(k);
  ks.add(samples);
  return [...ks].flatMap((k) => {
    const found = estimate(k);
    return found === undefined ? [] : [{ k, ...found }];
  });
}

interface ScoredTask {
  taskId: string;
  task: TaskScores;
  scores: number[];
  /** The scores that stand for the task. */
  counted: readonly number[];
}

function meanOfTasks(tasks: readonly ScoredTask[]): number | null {
  const means = tasks.flatMap(({ counted }) => (counted.length === 0 ? [] : [plainMean(counted)]));
  return means.length === 0 ? null : plainMean(means);
}

function metricEstimates(tasks: readonly ScoredTask[]): MetricEstimate[] {
  return metricNames(tasks.map(({ task }) => task)).flatMap((name) => {
    const found = estimateMean(tasks.map(({ task }) => metricOf(task, name)));
    return found === undefined ? [] : [{ name, ...found }];
  });
}

function byTag(tasks: readonly ScoredTask[], run: RunRecord): ResultsRecord['byTag'] {
  const tags = [...new Set(tasks.flatMap(({ task }) => task.tags))].toSorted();
  return tags.map((tag) => {
    const ofTag = tasks.filter(({ task }) => task.tags.includes(tag));
    const clusters = clustersOf(
      ofTag.map(({ task }) => task),
      run.samples,
    );
    const samples = clusters.reduce((sum, { scores }) => sum + scores.length, 0);
    return { tag, tasks: ofTag.length, samples, mean: meanEstimate(clusters, run) ?? null };
  });
}

function worst(tasks: readonly ScoredTask[]): ResultsRecord['worst'] {
  const scored = tasks
    .filter(({ counted }) => counted.length > 0)
    .map(({ taskId, task, scores, counted }) => ({
      taskId,
      mean: plainMean(counted),
      scores,
      outcomes: countBy([...task.samples.values()], ({ outcome }) => outcome),
    }));
  const best = scored.reduce((most, { mean }) => Math.max(most, mean), -Infinity);
  // Where all are alike, none is worst.
  return scored
    .filter(({ mean }) => isAbove(best, mean))
    .toSorted((first, second) => first.mean - second.mean)
    .slice(0, mostWorst);
}

function tokens(samples: readonly SampleScore[]): ResultsRecord['tokens'] {
  const prompt = total(samples, (sample) => sample.tokens?.prompt ?? null);
  const completion = total(samples, (sample) => sample.tokens?.completion ?? null);
  return prompt === null || completion === null ? null : { prompt, completion };
}

function total(samples: readonly SampleScore[], of: (sample: SampleScore) => number | null): number | null {
  return samples.length === 0 ? null : sumOfKnown(samples.map(of));
}

function countBy<Item, Key extends string>(
  items: readonly Item[],
  keyOf: (item: Item) => Key,
): Partial<Record<Key, number>> & Record<string, number> {
  const counts: Record<string, number> = {};
  for (const item of items) counts[keyOf(item)] = (counts[keyOf(item)] ?? 0) + 1;
  return counts as Partial<Record<Key, number>> & Record<string, number>;
}
