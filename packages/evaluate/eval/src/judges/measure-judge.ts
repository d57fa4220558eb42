import { refuseOption } from '@art/ground';
import { isAtLeast, isSameFigure } from '@art/ground/figures';
import type { ErrorRecord, SampleRecord } from '@art/trajectories';
import { readRunRollouts } from '../records/read-run-rollouts.ts';
import { recogniseRun, type RecordedRun, recordedRunKinds } from '../records/recognise-run.ts';
import type { Estimate } from '../records/results-record.ts';
import { readRunRecord } from '../records/run-record.ts';
import { readSamples } from '../records/read-samples.ts';
import type { Judge } from '../run/judge.ts';
import { judgeAll, rejudgeAll } from '../run/rejudge.ts';
import { verdictBy } from '../run/verdict.ts';
import { cohenKappa, type KappaEstimate, type KappaWeights } from '../statistics/cohen-kappa.ts';
import { type Difference, estimateDifference } from '../statistics/estimate-difference.ts';
import { estimateMean } from '../statistics/estimate-mean.ts';
import type { DataOptions } from '../tasks/open-task-file.ts';
import { type Category, type Label, readLabels, rounded } from './read-labels.ts';

/** Options of `measureJudge`. */
export interface MeasureJudgeOptions {
  /** Path of the labels of a person. @default none: only the drift is measured */
  labels?: string | undefined;
  /** How the labels are read. @default as they are */
  data?: DataOptions | undefined;
  /** A recorded run whose rewards are measured. @default the labels have the texts, or the rewards */
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

/** The measure of a judge: how far it agrees with labels, and with itself. */
export interface JudgeMeasure {
  /** Labelled samples with a reward: all figures rest on them. */
  samples: number;
  tasks: number;
  /** The share of equal classes; null without samples. */
  agreement: Estimate | null;
  kappa: KappaEstimate & { weights: KappaWeights };
  /** Why kappa says nothing; null where it does. */
  problem: string | null;
  /** About how many labels more the interval needs to be so wide; null where it has none. */
  missing: { labels: number; width: number } | null;
  /** Reward and label from which a sample has passed; null where each value is a class. */
  passReward: number | null;
  categories: Category[];
  /** Rows are labels, columns rewards, both in the order of `categories`. */
  confusion: number[][];
  /** Farthest apart first. */
  disagreements: { id: string; label: Category; reward: Category; remark: string | null }[];
  /** Labelled samples that are in no figure. */
  leftOut: {
    /** The judge failed, or gave no reward. */
    unjudged: string[];
    /** The agent or its machine failed: there is nothing to judge. */
    failed: string[];
    /** The run has no such sample. */
    unknown: string[];
    /** Labels of one sample disagree. */
    contradictory: string[];
    /** Rows without a label. */
    unlabelled: number;
    /** Further rows with the same label. */
    duplicates: number;
  };
  drift: JudgeDrift | null;
}

/** Two judgings of the same samples. */
export interface JudgeDrift {
  samples: number;
  /** Samples whose reward changed, the largest change first. */
  changed: { id: string; first: number; second: number }[];
  /** Samples that one of both did not judge. */
  unjudged: number;
  /** Change of the mean reward; null without samples. */
  difference: Difference | null;
}

interface Judged {
  id: string;
  taskId: string;
  reward: Category | null;
  hasFailed: boolean;
  remark: string | null;
}

type Judgings = Map<string, Judged>;

/** A share of unjudged samples from which the others say too little. */
const mostUnjudged = 0.1;

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
  if (path === undefined && options.run === undefined)
    refuseOption('run', 'a run, or labels with texts', undefined);
  const run = options.run === undefined ? undefined : await openRun(options.run);
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
    ...agreementOf(labels ?? [], first, { weights, width, passReward: options.passReward, runPass }),
    drift: second === undefined ? null : driftOf(first, second),
  };
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

interface Pair {
  id: string;
  taskId: string;
  label: Category;
  reward: Category;
  remark: string | null;
}

function agreementOf(
  labels: readonly Label[],
  judged: Judgings,
  {
    weights,
    width,
    passReward,
    runPass,
  }: { weights: KappaWeights; width: number; passReward: number | undefined; runPass: number },
): Omit<JudgeMeasure, 'drift'> {
  const { pairs: found, isVerdict, leftOut } = pairsOf(labels, judged);
  const asVerdicts = isVerdict || isFractional(found);
  const pass = passReward ?? (asVerdicts ? runPass : null);
  const passOf = (value: Category, least: number): Category =>
    typeof value === 'number' ? Number(isAtLeast(value, least)) : value;
  const pairs =
    pass === null
      ? found
      : found.map((pair) => ({
          ...pair,
          label: passOf(pair.label, isBinary(found) ? 1 : pass),
          reward: passOf(pair.reward, pass),
        }));
  const categories = [...new Set(pairs.flatMap(({ label, reward }) => [label, reward]))].toSorted(inOrder);
  const at = (category: Category): number => categories.indexOf(category);
  const clusters = [...Map.groupBy(pairs, ({ taskId }) => taskId).values()];
  const kappa = cohenKappa(
    clusters.map((cluster) => cluster.map(({ label, reward }) => [at(label), at(reward)] as const)),
    weights,
  );
  const confusion = categories.map(() => categories.map(() => 0));
  for (const { label, reward } of pairs) confusion[at(label)]![at(reward)]! += 1;
  return {
    samples: pairs.length,
    tasks: clusters.length,
    agreement:
      estimateMean(clusters.map((cluster) => cluster.map(({ label, reward }) => Number(label === reward)))) ??
      null,
    kappa: { ...kappa, weights },
    problem: problemOf(pairs, leftOut.unjudged.length),
    missing: missingLabels(kappa, pairs.length, width),
    passReward: pass,
    categories,
    confusion,
    disagreements: pairs
      .filter(({ label, reward }) => label !== reward)
      .toSorted(
        (first, second) =>
          Math.abs(at(second.label) - at(second.reward)) - Math.abs(at(first.label) - at(first.reward)),
      )
      .map(({ id, label, reward, remark }) => ({ id, label, reward, remark })),
    leftOut,
  };
}

function pairsOf(
  labels: readonly Label[],
  judged: Judgings,
): { pairs: Pair[]; isVerdict: boolean; leftOut: JudgeMeasure['leftOut'] } {
  const byTask = Map.groupBy(judged.values(), ({ taskId }) => taskId);
  // A label may name a task that has one sample.
  const sampleOf = ({ id }: Label): Judged | undefined => {
    const ofTask = byTask.get(id) ?? [];
    return judged.get(id) ?? (ofTask.length === 1 ? ofTask[0] : undefined);
  };
  const given = labels.filter(({ label }) => label !== null);
  const leftOut: JudgeMeasure['leftOut'] = {
    unjudged: [],
    failed: [],
    unknown: [],
    contradictory: [],
    unlabelled: labels.length - given.length,
    duplicates: 0,
  };
  const pairs: Pair[] = [];
  for (const [id, same] of Map.groupBy(given, (label) => sampleOf(label)?.id ?? label.id)) {
    const label = same[0]!.label!;
    leftOut.duplicates += same.length - 1;
    const sample = sampleOf(same[0]!);
    if (sample === undefined) leftOut.unknown.push(id);
    else if (same.some((other) => other.label !== label)) leftOut.contradictory.push(id);
    else if (sample.hasFailed) leftOut.failed.push(id);
    else if (sample.reward === null) leftOut.unjudged.push(id);
    else pairs.push({ id, taskId: sample.taskId, label, reward: sample.reward, remark: sample.remark });
  }
  const isVerdict =
    given.length > 0 && given.every((label) => label.isVerdict && typeof label.label === 'number');
  return { pairs, isVerdict, leftOut };
}

/** True if labels are 0 and 1 and rewards lie between: such rewards are no classes. */
function isFractional(pairs: readonly Pair[]): boolean {
  const isUnit = pairs.every(({ reward }) => typeof reward === 'number' && reward >= 0 && reward <= 1);
  return isUnit && isBinary(pairs) && pairs.some(({ reward }) => !Number.isInteger(reward));
}

function isBinary(pairs: readonly Pair[]): boolean {
  return pairs.every(({ label }) => label === 0 || label === 1);
}

function inOrder(first: Category, second: Category): number {
  if (typeof first === 'number' && typeof second === 'number') return first - second;
  if (typeof first === typeof second) return first < second ? -1 : 1;
  return typeof first === 'number' ? -1 : 1;
}

function problemOf(pairs: readonly Pair[], unjudged: number): string | null {
  if (pairs.length === 0) return 'No labelled sample has a reward.';
  if (unjudged > mostUnjudged * (pairs.length + unjudged))
    return `The judge gave no reward to ${unjudged} of ${pairs.length + unjudged} labelled samples: the others are no fair choice.`;
  const [label] = new Set(pairs.map((pair) => pair.label));
  if (pairs.every((pair) => pair.label === label))
    return `All ${pairs.length} labels are ${label}: kappa needs samples of two classes at least.`;
  return null;
}

/** Widths shrink with the root of the samples; where all agree, with their number. */
function missingLabels(
  { value, low, high }: KappaEstimate,
  samples: number,
  width: number,
): JudgeMeasure['missing'] {
  if (low === null || high === null) return null;
  const times = (high - low) / width;
  return { labels: Math.max(0, Math.ceil(samples * (value === 1 ? times : times ** 2)) - samples), width };
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
