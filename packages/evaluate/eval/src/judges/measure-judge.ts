import { existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { refuseOption } from '@art/ground';
import { isSameFigure } from '@art/ground/figures';
import type { ErrorRecord, SampleRecord } from '@art/trajectories';
import { readRunRollouts } from '../records/read-run-rollouts.ts';
import { recogniseRun, type RecordedRun, recordedRunKinds } from '../records/recognise-run.ts';
import { runFiles, runPath } from '../records/run-folder.ts';
import { readRunRecord } from '../records/run-record.ts';
import { readSamples } from '../records/read-samples.ts';
import type { Judge } from '../run/judge.ts';
import { judgeAll, rejudgeAll } from '../run/rejudge.ts';
import { verdictBy } from '../run/verdict.ts';
import type { KappaWeights } from '../statistics/cohen-kappa.ts';
import { estimateDifference } from '../statistics/estimate-difference.ts';
import type { DataOptions } from '../tasks/open-task-file.ts';
import type { Judged, JudgeDrift, JudgeMeasure, Judgings } from './judge-measure.ts';
import { labelAgreement } from './label-agreement.ts';
import { type Label, readLabels, rounded } from './read-labels.ts';

/** Options of `measureJudge`. */
export interface MeasureJudgeOptions {
  /** Path of the labels of a person. @default none: only the drift is measured */
  labels?: string | undefined;
  /** How the labels are read. @default as they are */
  data?: DataOptions | undefined;
  /** A recorded run whose rewards are measured. @default that of its `human.jsonl`; else the labels have the texts, or the rewards */
  run?: string | undefined;
  /** Judges the samples of the run, or the texts of the labels. @default the rewards of the run, or those beside the labels */
  judge?: Judge | undefined;
  /** A second judging of the same samples: a recorded run, or true to have `judge` judge twice. @default none */
  drift?: string | true | undefined;
  /** Reward and label from which a sample has passed. @default where the labels say passed or failed, the run's, or 1; elsewhere each value is a class */
  passReward?: number | undefined;
  /** How near misses count. @default 'none' */
  weights?: KappaWeights | undefined;
  /** Width of the interval for which missing labels are counted. @default 0.2 */
  width?: number | undefined;
  /** Most judgements at once. @default 16 */
  concurrency?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Called after each judgement. Must not throw. */
  onProgress?: ((judged: number) => void) | undefined;
}

/**
 * Measures a judge by labels of a person: agreement, Cohen's kappa and its interval over tasks. A sample that the judge could not judge is no
 * disagreement: it is left out and counted.
 * @throws ArtError `ART_INVALID_OPTION`, `ART_INVALID_PAYLOAD`; the signal's reason
 */
export async function measureJudge(options: MeasureJudgeOptions): Promise<JudgeMeasure> {
  const { labels: path, judge, drift, weights = 'none', width = 0.2 } = options;
  if (path === undefined && drift === undefined) refuseOption('labels', 'a file with labels', undefined);
  if (drift === true && judge === undefined)
    refuseOption('judge', 'a judge, which is to judge twice', undefined);
  const folder = options.run ?? annotatedRun(path);
  if (path === undefined && folder === undefined)
    refuseOption('run', 'a run, or labels with texts', undefined);
  const run = folder === undefined ? undefined : await openRun(folder);
  const labels =
    path === undefined
      ? undefined
      : await Array.fromAsync(readLabels(path, run !== undefined || judge !== undefined, options.data));
  let count = 0;
  const judgeOnce = (): Promise<Judgings> =>
    judgings(run, labels, { ...options, onProgress: () => options.onProgress?.((count += 1)) });
  const first = await judgeOnce();
  const second =
    drift === undefined
      ? undefined
      : drift === true
        ? await judgeOnce()
        : await rewardsOf(await openRun(drift));
  const runPass = run?.kind === 'evaluation' ? (await readRunRecord(run.folder)).passReward : 1;
  return {
    ...labelAgreement(labels ?? [], first, { weights, width, passReward: options.passReward, runPass }),
    drift: second === undefined ? null : driftOf(first, second),
  };
}

/** The run in whose folder a person's scores lie. */
function annotatedRun(labels: string | undefined): string | undefined {
  if (labels === undefined || basename(labels) !== runFiles.human) return undefined;
  return existsSync(runPath(dirname(labels), 'run')) ? dirname(labels) : undefined;
}

async function openRun(path: string): Promise<RecordedRun> {
  return (await recogniseRun(path)) ?? refuseOption('run', recordedRunKinds, path);
}

function judgings(
  run: RecordedRun | undefined,
  labels: readonly Label[] | undefined,
  options: MeasureJudgeOptions,
): Promise<Judgings> {
  const { judge } = options;
  if (run === undefined)
    return judge === undefined ? besideLabels(labels!) : ofTexts(labels!, judge, options);
  if (judge === undefined) return rewardsOf(run);
  if (run.kind === 'evaluation') return ofSamples(run.folder, labels, judge, options);
  return refuseOption('run', 'a run of "art eval", for it is judged again', options.run);
}

async function besideLabels(labels: readonly Label[]): Promise<Judgings> {
  if (labels.every(({ judged }) => judged === null))
    refuseOption('labels', 'labels beside rewards of a judge ("judge" or "reward")', 'none of them', {
      advice:
        'Name a run, or a judge with --reward for labels that have the texts ("payload" and "response").',
    });
  return byId(
    labels.map(({ id, taskId, judged }) => ({ id, taskId, reward: judged, hasFailed: false, remark: null })),
  );
}

async function ofTexts(
  labels: readonly Label[],
  judge: Judge,
  { concurrency = 16, signal, onProgress }: MeasureJudgeOptions,
): Promise<Judgings> {
  const found: Judgings = new Map();
  const labelled = labels.filter(({ label }) => label !== null);
  const named = byId(labelled);
  await judgeAll(named.values(), { concurrency, signal }, async ({ id, taskId, sample }) => {
    if (sample === undefined)
      refuseOption('labels', 'labels with texts ("payload" and "response"), or beside a run', id);
    const { reward, remarks, judgeError } = await verdictBy(judge, sample, signal);
    found.set(id, {
      id,
      taskId,
      reward,
      hasFailed: false,
      remark: remarks[0] ?? judgeError?.message ?? null,
    });
    onProgress?.(0);
  });
  return found;
}

async function ofSamples(
  folder: string,
  labels: readonly Label[] | undefined,
  judge: Judge,
  { concurrency = 16, signal, onProgress }: MeasureJudgeOptions,
): Promise<Judgings> {
  const latest = new Map<string, SampleRecord>();
  for await (const { record } of readSamples(folder)) latest.set(record.id, record);
  // A judgement costs, and without a label it says nothing.
  const wanted = new Set(labels?.flatMap(({ id, taskId }) => [id, taskId]));
  const samples = [...latest.values()].filter(
    ({ id, taskId }) => labels === undefined || wanted.has(id) || wanted.has(taskId),
  );
  const found: Judgings = new Map();
  await rejudgeAll(samples, judge, {
    folder,
    failureReward: null,
    concurrency,
    signal,
    onJudged: async (record) => {
      found.set(record.id, judgedOf(record.id, record.taskId, record));
      onProgress?.(0);
    },
  });
  return found;
}

async function rewardsOf(run: RecordedRun): Promise<Judgings> {
  const found: Judgings = new Map();
  for await (const rollout of readRunRollouts(run))
    found.set(rollout.id, judgedOf(rollout.id, rollout.inputId, rollout));
  return found;
}

function judgedOf(
  id: string,
  taskId: string,
  { reward, outcome, remarks, judgeError }: Pick<SampleRecord, 'reward' | 'outcome'> & Remarked,
): Judged {
  const remark = remarks?.[0] ?? judgeError?.message ?? null;
  return {
    id,
    taskId,
    reward: reward === null ? null : rounded(reward),
    hasFailed: outcome !== 'ok',
    remark,
  };
}

/** The words of a judge, where a rollout has them. */
interface Remarked {
  remarks?: readonly string[] | undefined;
  judgeError?: ErrorRecord | null | undefined;
}

function byId<Item extends { id: string }>(items: readonly Item[]): Map<string, Item> {
  return new Map(items.map((item) => [item.id, item]));
}

function driftOf(first: Judgings, second: Judgings): JudgeDrift {
  const both = [...first.values()].flatMap(({ id, taskId, reward }) => {
    const again = second.get(id)?.reward;
    return typeof reward === 'number' && typeof again === 'number'
      ? [{ id, taskId, first: reward, second: again }]
      : [];
  });
  const shared = [...first.values()].filter(({ id, hasFailed }) => second.has(id) && !hasFailed);
  const pairs = [...Map.groupBy(both, ({ taskId }) => taskId).values()].map((task) => ({
    first: task.map((sample) => sample.first),
    second: task.map((sample) => sample.second),
  }));
  return {
    samples: both.length,
    changed: both
      .filter((sample) => !isSameFigure(sample.first, sample.second))
      .toSorted((one, other) => Math.abs(other.second - other.first) - Math.abs(one.second - one.first))
      .map(({ id, first: before, second: after }) => ({ id, first: before, second: after })),
    unjudged: shared.length - both.length,
    difference: estimateDifference(pairs) ?? null,
  };
}
