import { isAtLeast } from '@art/ground/figures';
import { cohenKappa, type KappaEstimate, type KappaWeights } from '../statistics/cohen-kappa.ts';
import { estimateMean } from '../statistics/estimate-mean.ts';
import type { Judged, JudgeMeasure, Judgings } from './judge-measure.ts';
import type { Category, Label } from './read-labels.ts';

/** A share of unjudged samples from which the others say too little. */
const mostUnjudged = 0.1;

interface Pair {
  id: string;
  taskId: string;
  label: Category;
  reward: Category;
  remark: string | null;
}

/** The figures of labels and rewards. @param passReward as it was given @param runPass of the run */
export function labelAgreement(
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

function passOf(value: Category, least: number): Category {
  return typeof value === 'number' ? Number(isAtLeast(value, least)) : value;
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
