import type { RolloutOutcomeKind } from '@art/protocol';
import type { RunRecord } from '../records/run-record.ts';
import { isAgentFailure } from '../records/score.ts';
import { isSameReduction, reductionText } from './reduce-scores.ts';

/**
 * Why a comparison cannot be relied on.
 * - `unfinished`: a run has not all of its samples.
 * - `untrusted`: more samples of a run are excluded than it allows.
 * - `other_tasks`: the runs mean different tasks by the same ids.
 * - `other_judge`: their rewards are of different judges.
 * - `other_reducer`: the scores of tasks are made of samples in different ways.
 * - `other_failures`: failures of the agent count as something else.
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
    | 'other_failures'
    | 'chosen_tasks'
    | 'no_tasks';
  /** To be shown to a person. */
  message: string;
}

/** A run as it is held against another one. */
export interface JudgedRun {
  name: 'baseline' | 'candidate';
  record: RunRecord;
  /** Judges of its rewards; undefined for one that was not written down. */
  judges: ReadonlySet<string | null | undefined>;
  outcomes: ReadonlySet<RolloutOutcomeKind>;
}

/** Finds why both runs can be told from each other by chance alone, by who judged, or by what counts. */
export function doubtsOfPair(first: JudgedRun, second: JudgedRun): Doubt[] {
  const doubts: Doubt[] = [];
  const all = new Set([...first.judges, ...second.judges]);
  // What an earlier version wrote does not say.
  if (all.size > 1 && !all.has(undefined)) {
    const [was, is] = [first, second].map(({ judges }) =>
      [...judges].map((judge) => judge ?? "the agent's own").join(' and '),
    );
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
  const [counted, counts] = [first, second].map(({ record: { failureReward } }) => failureReward);
  if (counted !== counts && [...first.outcomes, ...second.outcomes].some(isAgentFailure)) {
    const [was, is] = [counted, counts].map((reward) => (reward === null ? 'not at all' : `as ${reward}`));
    doubts.push({
      kind: 'other_failures',
      message: `Failures of the agent count ${was} in the baseline, ${is} in the candidate. Run both with the same --failure-reward.`,
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
