import { isDeepStrictEqual } from 'node:util';
import { RecordedTasks } from '../records/recorded-tasks.ts';
import type { RunRecord } from '../records/run-record.ts';
import { excludedText } from '../report/excluded-text.ts';
import { excludedSamples, exclusionReason } from '../results/excluded-samples.ts';
import type { RunScores } from '../results/task-scores.ts';
import { isSameReduction, reductionText } from '../statistics/reduce-scores.ts';

/**
 * Why a comparison cannot be relied on.
 * - `unfinished`: a run has not all of its samples.
 * - `untrusted`: more samples of a run are excluded than it allows.
 * - `other_tasks`: the runs mean different tasks by the same ids.
 * - `other_judge`: their rewards are of different judges.
 * - `other_reducer`: the scores of tasks are made of samples in different ways.
 * - `chosen_tasks`: the tasks of one were chosen by the results of the other, which change by chance alone.
 * - `no_tasks`: no task has judged samples in both.
 */
export interface Doubt {
  kind:
    | 'unfinished'
    | 'untrusted'
    | 'other_tasks'
    | 'other_judge'
    | 'other_reducer'
    | 'chosen_tasks'
    | 'no_tasks';
  /** To be shown to a person. */
  message: string;
}

/** A run as it is looked at. */
export interface DoubtedRun {
  name: 'baseline' | 'candidate';
  folder: string;
  record: RunRecord;
  scores: RunScores;
}

/** Doubts about a run that is not complete, or of which too few samples were judged. */
export function doubtsOfRun({ name, record, scores }: DoubtedRun): Doubt[] {
  const samples = [...scores.tasks.values()].flatMap((task) => [...task.samples.values()]);
  const doubts: Doubt[] = [];
  const { count } = record.tasks;
  const wanted = count === null ? null : count * record.samples;
  if (wanted === null || samples.length < wanted) {
    const of =
      wanted === null ? 'not all of its tasks were read' : `${samples.length} of ${wanted} samples are there`;
    doubts.push({
      kind: 'unfinished',
      message: `The ${name} is not finished: ${of}. "art eval --resume" continues with a run.`,
    });
  }
  const byReason: Record<string, number> = {};
  for (const { score, outcome, judgeErrorCode } of samples) {
    if (score !== null) continue;
    const reason = exclusionReason(outcome, judgeErrorCode);
    byReason[reason] = (byReason[reason] ?? 0) + 1;
  }
  const excluded = excludedSamples(byReason, samples.length, record.maxFailures);
  if (!excluded.isTrusted)
    doubts.push({ kind: 'untrusted', message: `Of the ${name}, ${excludedText(excluded, samples.length)}` });
  return doubts;
}

/** True where both runs can be told from each other by chance alone, or by who judged. */
export function doubtsOfPair(first: DoubtedRun, second: DoubtedRun): Doubt[] {
  const doubts: Doubt[] = [];
  const judges = [first, second].map(judgesOf);
  const all = new Set(judges.flatMap((known) => [...known]));
  // What an earlier version wrote does not say.
  if (all.size > 1 && !all.has(undefined)) {
    const [was, is] = judges.map((known) => [...known].join(' and '));
    doubts.push({
      kind: 'other_judge',
      message: `The rewards are of different judges: ${was} in the baseline, ${is} in the candidate. Judge both by one: "art rescore" does it without running them.`,
    });
  }
  if (!isSameReduction(first.record, second.record)) {
    const [was, is] = [first, second].map(({ record }) => reductionText(record));
    doubts.push({
      kind: 'other_reducer',
      message: `The scores of tasks are made in different ways: ${was} in the baseline, ${is} in the candidate. Run both with the same --reduce, --samples and --pass-reward.`,
    });
  }
  for (const [run, other] of [
    [first, second],
    [second, first],
  ] as const) {
    const { runId, rescoredIds = [] } = other.record;
    const chosenBy = [runId, ...rescoredIds].some((id) => run.record.selectedBy?.includes(id));
    if (!chosenBy) continue;
    doubts.push({
      kind: 'chosen_tasks',
      message: `The tasks of the ${run.name} were chosen by the results of the ${other.name}: those that failed there by chance would pass here more often for the same agent. Compare runs of the same tasks.`,
    });
  }
  return doubts;
}

function judgesOf({ scores }: DoubtedRun): Set<string | undefined> {
  const judges = new Set<string | undefined>();
  for (const { samples } of scores.tasks.values())
    for (const { rewardedBy, judge } of samples.values()) {
      if (rewardedBy === 'agent') judges.add("the agent's own");
      if (rewardedBy === 'judge') judges.add(judge ?? undefined);
    }
  return judges;
}

const mostNamed = 3;

/** Doubts about tasks that gave their agents something else under the same id; `taskIds` are those that both have. */
export async function doubtsOfTasks(
  first: DoubtedRun,
  second: DoubtedRun,
  taskIds: readonly string[],
): Promise<Doubt[]> {
  const { digest } = first.record.tasks;
  if (digest !== null && digest === second.record.tasks.digest) return [];
  const [before, after] = await Promise.all([
    RecordedTasks.open(first.folder),
    RecordedTasks.open(second.folder),
  ]);
  const others: string[] = [];
  for (const taskId of taskIds) {
    const [was, is] = await Promise.all([before.read(taskId), after.read(taskId)]);
    if (was !== undefined && is !== undefined && !isDeepStrictEqual(was, is)) others.push(taskId);
  }
  if (others.length === 0) return [];
  const named = others.slice(0, mostNamed).map((taskId) => JSON.stringify(taskId.slice(0, 60)));
  const more = others.length > mostNamed ? ` and ${others.length - mostNamed} more` : '';
  return [
    {
      kind: 'other_tasks',
      message: `Both runs have ${others.length} of ${taskIds.length} common ids for different tasks, whose payload or expected answer is another one: ${named.join(', ')}${more}. Compare runs of the same tasks, or give tasks their own ids.`,
    },
  ];
}
