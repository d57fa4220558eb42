import { describeValue, refuseData } from '@art/ground';
import { readRunRecord, type RunRecord } from '../records/run-record.ts';
import { readScores, scoresOf } from '../results/task-scores.ts';
import { isSameReduction, reduceScores, reductionText } from '../statistics/reduce-scores.ts';
import { tQuantile } from '../statistics/student-t.ts';
import { unseenShare } from '../statistics/unseen-share.ts';
import { varianceParts, type VarianceParts } from '../statistics/variance-parts.ts';
import { openTasks, type Tasks } from '../tasks/task-source.ts';

/** Options of `planRun`. */
export interface PlanOptions {
  /** `0.05` or `width < 0.05`: the mean with an interval so narrow; `difference > 0.05`: a difference that shows with a chance of 80 %. */
  plan: string;
  /** Folders of an earlier run, or for a difference of one of each agent. @default the worst case */
  from?: readonly string[] | undefined;
  /** Tasks that there are. @default any number */
  tasks?: Tasks | undefined;
  /** Samples of each task. @default 1, 2, 4, 8 and 16, as long as they save tasks */
  samples?: number | undefined;
  /** Least and greatest reward, for the worst case. @default [0, 1] */
  rewardRange?: readonly [number, number] | undefined;
}

/** How large a run has to be, and what that rests on. */
export interface RunPlan {
  figure: 'width' | 'difference';
  bound: number;
  /** Folders of the runs; empty for the worst case. */
  from: readonly string[];
  /** The cases that are possible, with the variance between tasks and within them. */
  cases: (VarianceParts & { name: string })[];
  rows: {
    samples: number;
    /** Tasks of each case, in its order. */
    tasks: number[];
    /** Cost of the last case, which needs most; null where nothing is known of it. */
    cost: number | null;
    tokens: number | null;
  }[];
  /** Tasks that there are; null where that was not said. */
  available: number | null;
}

const form = /^(?:(width) ?<=? ?|(difference) ?>=? ?)?(\d+\.?\d*|\.\d+)$/;

/** Says how many tasks and samples a run needs, before anything is sent. @throws ArtError `ART_INVALID_OPTION` */
export async function planRun(options: PlanOptions): Promise<RunPlan> {
  const { plan, from = [], tasks, samples, rewardRange: [least, greatest] = [0, 1] } = options;
  const [, , difference, number] = form.exec(plan.trim()) ?? [];
  const bound = Number(number);
  if (!(bound > 0)) refuseData('"0.05", "width < 0.05" or "difference > 0.05" as plan', describeValue(plan));
  const figure = difference ?? 'width';
  if (from.length > (difference === undefined ? 1 : 2))
    refuseData(`fewer earlier runs for "${plan}"`, describeValue(from));
  const records = await Promise.all(from.map(readRunRecord));
  const runs = await Promise.all(records.map((record, at) => clustersIn(from[at]!, record)));
  const counts = countsOf(records, samples);
  const cases = casesOf(figure, runs, greatest - least);
  const spent = await Promise.all(from.map(spentBySample));
  const [cost, tokens] = [meanOf(spent.map((one) => one.cost)), meanOf(spent.map((one) => one.tokens))];
  const rows: RunPlan['rows'] = [];
  for (const count of counts) {
    const needed = cases.map(({ between, within }) => tasksFor(figure, bound, between + within / count));
    if (needed.every((wanted, at) => wanted === rows.at(-1)?.tasks[at])) break;
    const total = count * needed.at(-1)!;
    const whole = (each: number | null): number | null => (each === null ? null : total * each);
    rows.push({ samples: count, tasks: needed, cost: whole(cost), tokens: whole(tokens) });
  }
  const available = tasks === undefined ? null : ((await openTasks(tasks)).count ?? null);
  return { figure: figure as RunPlan['figure'], bound, from, cases, rows, available };
}

/** Samples of a task that are planned for. What a median comes to with more samples, those of a run do not say. */
function countsOf(runs: readonly RunRecord[], samples: number | undefined): readonly number[] {
  const reduced = runs.find(({ reduce }) => reduce !== undefined);
  if (reduced === undefined) return samples === undefined ? [1, 2, 4, 8, 16] : [samples];
  const other = [...runs, { ...reduced, samples: samples ?? reduced.samples }].find(
    (run) => !isSameReduction(run, reduced),
  );
  if (other !== undefined)
    refuseData(`a plan of one way to score tasks, ${reductionText(reduced)}`, reductionText(other));
  return [reduced.samples];
}

function casesOf(
  figure: string,
  runs: readonly ReadonlyMap<string, readonly number[]>[],
  range: number,
): RunPlan['cases'] {
  const [first, second] = runs;
  const share = figure === 'width' ? 1 : 2;
  if (first === undefined) return [{ name: 'tasks', between: (share * range ** 2) / 4, within: 0 }];
  if (second !== undefined) {
    const both = [...first.keys()].filter((id) => second.has(id));
    const parts = varianceParts(both.map((id) => [second.get(id)!, first.get(id)!]));
    return [{ name: 'tasks', ...atLeast(parts, both.length, 2 * range) }];
  }
  const parts = atLeast(varianceParts([...first.values()].map((scores) => [scores])), first.size, range);
  if (figure === 'width') return [{ name: 'tasks', ...parts }];
  const unlike = { name: 'tasks, unlike', between: 2 * parts.between, within: 2 * parts.within };
  // Without a second sample of a task nobody knows what chance adds to it.
  return parts.within === 0
    ? [unlike]
    : [{ name: 'tasks, alike', between: 0, within: unlike.within }, unlike];
}

/** Where all tasks agree, their spread says nothing: other tasks may be unseen. */
function atLeast(parts: VarianceParts, tasks: number, range: number): VarianceParts {
  if (parts.between + parts.within > 0) return parts;
  const unseen = unseenShare(tasks);
  return { between: unseen * (1 - unseen) * range ** 2, within: 0 };
}

function tasksFor(figure: string, bound: number, variance: number): number {
  const isEnough = (tasks: number): boolean => {
    const error = Math.sqrt(variance / tasks);
    const [level, power] = [tQuantile(0.025, tasks - 1), tQuantile(0.2, tasks - 1)];
    return figure === 'width' ? 2 * level * error < bound : (level + power) * error <= bound;
  };
  let [low, high] = [1, 2];
  while (!isEnough(high) && high < 2 ** 40) [low, high] = [high, 2 * high];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isEnough(middle)) high = middle;
    else low = middle;
  }
  return high;
}

async function clustersIn(folder: string, run: RunRecord): Promise<Map<string, readonly number[]>> {
  const { tasks } = await readScores(folder);
  const scores = [...tasks].map(([id, task]) => [id, reduceScores(scoresOf(task), run)] as const);
  const filled = new Map(scores.filter(([, values]) => values.length > 0));
  if (filled.size < 2) refuseData('an earlier run with scores of two tasks or more', describeValue(folder));
  return filled;
}

async function spentBySample(folder: string): Promise<{ cost: number | null; tokens: number | null }> {
  const { tasks } = await readScores(folder);
  const samples = [...tasks.values()].flatMap((task) => [...task.samples.values()]);
  return {
    cost: meanOf(samples.map(({ cost }) => cost)),
    tokens: meanOf(samples.map(({ tokens }) => tokens && tokens.prompt + tokens.completion)),
  };
}

function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}
