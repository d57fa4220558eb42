import type { JsonObject } from '@art/ground';
import { isAtLeast } from '@art/ground/figures';
import type { RecordedRollout } from '../records/rollout-record.ts';
import { chosenCalls } from './chosen-calls.ts';
import {
  type ExportOptions,
  isToLookAt,
  resolveExportOptions,
  type ResolvedExportOptions,
} from './export-options.ts';
import type { MessageProblem } from './plain-message.ts';
import type { RowProblem } from './row-problem.ts';
import { branchRows, callRows } from './text-row.ts';
import { toAgentSpans } from './to-agent-spans.ts';
import { toAtifTrajectory } from './to-atif-trajectory.ts';
import { toFineTuningLine } from './to-fine-tuning-line.ts';
import { type PairProblem, toPreferencePair } from './to-preference-pair.ts';

/** Why a rollout is left out as a whole. */
export type RolloutProblem =
  /** Its outcome is not `ok`. */
  | 'failed'
  | 'no_reward'
  | 'reward_too_low'
  /** Nobody saw its calls of the model, or there were none. */
  | 'no_calls'
  /** None of its calls is of an agent that `trains` chose. */
  | 'not_chosen'
  /** An answer broke off in the middle. */
  | 'partial'
  /** An answer was cut off at its largest length. */
  | 'truncated';

export type ExportProblem = RolloutProblem | RowProblem | MessageProblem | PairProblem;

/** Numbers of the rollouts and lines. Whole only when the lines have been read to their end. */
export interface ExportSummary {
  rollouts: number;
  lines: number;
  /** Numbers of what is in no line, by reason: rollouts, rows of rollouts that are in others, for `dpo` also groups. */
  leftOut: Partial<Record<ExportProblem, number>>;
}

/** Lines of an export, and what became of the rollouts. */
export interface RolloutExport extends AsyncIterable<JsonObject> {
  readonly summary: ExportSummary;
}

/**
 * Rollouts in a format to fine-tune on, or to look at elsewhere. What does not fit is left out and counted; nothing is cut or made up.
 * Texts are rendered again by anyone who reads them: they need not become the tokens that were sampled. Train a policy on training rows.
 * @param rollouts those of one input after one another, for `dpo`
 * @throws ArtError `ART_INVALID_OPTION`
 */
export function exportRollouts(
  rollouts: Iterable<RecordedRollout> | AsyncIterable<RecordedRollout>,
  options: ExportOptions,
): RolloutExport {
  const resolved = resolveExportOptions(options);
  const summary: ExportSummary = { rollouts: 0, lines: 0, leftOut: {} };
  return { summary, [Symbol.asyncIterator]: () => lines(rollouts, resolved, summary) };
}

async function* lines(
  rollouts: Iterable<RecordedRollout> | AsyncIterable<RecordedRollout>,
  options: ResolvedExportOptions,
  summary: ExportSummary,
): AsyncGenerator<JsonObject, void, undefined> {
  const taken = function* (made: Iterable<JsonObject | ExportProblem>): Generator<JsonObject> {
    for (const line of made) {
      if (typeof line === 'string') summary.leftOut[line] = (summary.leftOut[line] ?? 0) + 1;
      else {
        summary.lines += 1;
        yield line;
      }
    }
  };
  let group: RecordedRollout[] = [];
  for await (const recorded of rollouts) {
    summary.rollouts += 1;
    const rollout = withChosenCalls(recorded, options);
    if (options.format === 'dpo' && group[0] !== undefined && group[0].inputId !== rollout.inputId) {
      yield* taken([toPreferencePair(group, options)]);
      group = [];
    }
    const isEmptied =
      (recorded.conversation?.calls.length ?? 0) > 0 && rollout.conversation?.calls.length === 0;
    const found = rolloutProblem(rollout, options);
    const problem = found === 'no_calls' && isEmptied ? 'not_chosen' : found;
    if (problem !== undefined) yield* taken([problem]);
    else if (options.format === 'dpo') group.push(rollout);
    else yield* taken(linesOf(rollout, options));
  }
  if (group.length > 0) yield* taken([toPreferencePair(group, options)]);
}

function withChosenCalls(rollout: RecordedRollout, { trains }: ResolvedExportOptions): RecordedRollout {
  const { conversation } = rollout;
  if (trains === undefined || conversation === undefined) return rollout;
  return { ...rollout, conversation: chosenCalls(conversation, trains) };
}

function linesOf(rollout: RecordedRollout, options: ResolvedExportOptions): (JsonObject | ExportProblem)[] {
  if (options.format === 'atif') return [toAtifTrajectory(rollout, options)];
  if (options.format === 'spans') {
    const spans = toAgentSpans(rollout, options.agentName);
    return typeof spans === 'string' ? [spans] : spans;
  }
  const rows = options.format === 'prompt-completion' ? callRows : branchRows;
  return rows(rollout.conversation!).map((row) =>
    typeof row === 'string' ? row : toFineTuningLine(row, options),
  );
}

function rolloutProblem(
  { outcome, reward, conversation }: RecordedRollout,
  { format, minReward }: ResolvedExportOptions,
): RolloutProblem | undefined {
  const calls = conversation?.calls ?? [];
  if (isToLookAt(format) && minReward === undefined) return calls.length === 0 ? 'no_calls' : undefined;
  if (outcome !== 'ok') return 'failed';
  if (reward === null) return 'no_reward';
  // The worst of a group is what the best is held against.
  if (format !== 'dpo' && !isAtLeast(reward, minReward!)) return 'reward_too_low';
  if (calls.length === 0) return 'no_calls';
  if (calls.some(({ capture }) => capture === 'partial')) return 'partial';
  return calls.some(({ finishReason }) => finishReason === 'length') ? 'truncated' : undefined;
}
