import type { TrainingRow } from '../rows/training-row.ts';
import { describeValue, refuseOption } from '@art/ground';
import type { Capture } from '../captures/capture.ts';
import { lineariseExact } from './linearise-exact.ts';
import { lineariseReference } from './linearise-reference.ts';
import type { RowBuilder } from './row-builder.ts';
import { writeTrainingRows, type MaskedTurn } from './write-training-rows.ts';
import {
  resolveTrajectoryOptions,
  type ResolvedTrajectoryOptions,
  type TrajectoryOptions,
} from './trajectory-options.ts';
import { callOrder } from '../tree/call-order.ts';
import { buildExactTree, findAbandoned } from '../tree/exact-tree.ts';
import { buildReferenceTree } from '../tree/reference-tree.ts';
import { type LabelledCall, notChosenBecause } from '../tree/train-choice.ts';
import { toTurn, type Turn } from '../tree/turn.ts';

/** Summary of a trajectory, apart from its rows. */
export interface TrajectorySummary {
  /** How many captures there are, whether they train or not. */
  turns: number;
  /** Turns that reached the agent as a whole: what `turn` of the rows' spans counts. */
  answeredTurns: number;
  /** Answered turns whose calls were made while another one was under way. */
  parallelTurns: number;
  /** Conversations that continue from no other one. */
  roots: number;
  /** Turns, in `reference` mode messages, from which nothing continues. */
  leaves: number;
  /** Tokens that were sampled, and those of them that train in the rows. */
  sampledTokens: number;
  trainedTokens: number;
  /** Turns that do not train, and why. In `reference` mode, where rewritten answers also do not train, without those. */
  masked: readonly MaskedTurn[];
  /** Answered turns that `trains` did not choose. */
  notChosenTurns: number;
  /** Rows that were left out because nothing in them trains, or nothing within `maxSampleTokens`. */
  droppedRows: number;
}

export interface Trajectory {
  /** In order; the last one is marked. They are the same whenever they are made from the same captures and options. */
  rows: TrainingRow[];
  summary: TrajectorySummary;
}

interface Linearised {
  builders: RowBuilder[];
  roots: number;
  leaves: number;
  abandoned: readonly Turn[];
}

/**
 * Makes trainable rows of a session's captures: a tree of what continued from what, and a row for each way through it.
 * In `exact` mode every token of every complete capture trains exactly once, unless the agent abandoned the turn; what is
 * incomplete never trains and is named in the metadata of the rows.
 *
 * Pure and deterministic. Costs time in proportion to the tokens of all prompts.
 * @param captures of one session, in the order in which they were stored
 * @throws ArtError `ART_INVALID_OPTION`
 */
export function buildTrajectory(captures: readonly Capture[], options: TrajectoryOptions = {}): Trajectory {
  const resolved = resolveTrajectoryOptions(options);
  const sessionId = soleSession(captures);
  const turns = toTurns(captures, resolved);
  const { builders, roots, leaves, abandoned } =
    resolved.mode === 'exact' ? lineariseTokens(turns) : lineariseTexts(turns, resolved);
  const masked = maskedTurns(turns, abandoned);
  const order = callOrder(captures);
  const rows = writeTrainingRows(builders, { sessionId, options: resolved, masked, order });
  return {
    rows,
    summary: {
      turns: turns.length,
      answeredTurns: order.answered,
      parallelTurns: order.parallel,
      roots,
      leaves,
      sampledTokens: turns.reduce((sum, { capture }) => sum + capture.completionTokenIds.length, 0),
      trainedTokens: rows.reduce(
        (sum, row) => sum + row.turn_spans.reduce((span, { start, end }) => span + end - start, 0),
        0,
      ),
      masked,
      notChosenTurns: turns.filter(({ masked: reason }) => reason === 'not_chosen').length,
      droppedRows: builders.length - rows.length,
    },
  };
}

function toTurns(
  captures: readonly Capture[],
  { trains, trainConstrained }: ResolvedTrajectoryOptions,
): Turn[] {
  const reasons = trains === undefined ? [] : notChosenBecause(captures.map(labelledCall), trains);
  return captures.map((capture, index) =>
    toTurn(capture, index, { trainConstrained, notChosen: reasons[index] }),
  );
}

function labelledCall({ metadata, timestampMs, ...capture }: Capture): LabelledCall {
  const { label } = metadata;
  return { ...capture, label: typeof label === 'string' ? label : undefined, startedAtMs: timestampMs };
}

function lineariseTokens(turns: readonly Turn[]): Linearised {
  const nodes = buildExactTree(turns);
  const abandoned = findAbandoned(nodes);
  return {
    builders: lineariseExact(nodes, abandoned),
    roots: nodes.filter((node) => node.parent === undefined).length,
    leaves: nodes.filter((node) => node.children.length === 0).length,
    abandoned: [...abandoned].map((node) => node.turn),
  };
}

function lineariseTexts(turns: readonly Turn[], options: ResolvedTrajectoryOptions): Linearised {
  const { chains, roots, leaves } = buildReferenceTree(turns, options.forkThresholdTokens);
  return { builders: lineariseReference(chains, options.forkThresholdTokens), roots, leaves, abandoned: [] };
}

function maskedTurns(turns: readonly Turn[], abandoned: readonly Turn[]): MaskedTurn[] {
  const left = new Set(abandoned);
  return turns.flatMap((turn) => {
    const reason = turn.masked ?? (left.has(turn) ? 'abandoned' : undefined);
    const { captureId, problems, constraints = [] } = turn.capture;
    const told =
      reason === 'constrained'
        ? [...problems, `sampled under ${constraints.join(', ')}`]
        : turn.notChosen === undefined
          ? problems
          : [turn.notChosen];
    return reason === undefined ? [] : [{ captureId, reason, problems: told }];
  });
}

function soleSession(captures: readonly Capture[]): string {
  const sessionId = captures[0]?.sessionId ?? '';
  const other = captures.find((capture) => capture.sessionId !== sessionId);
  if (other !== undefined) {
    refuseOption('captures', `of one session, ${describeValue(sessionId)}`, other.sessionId);
  }
  return sessionId;
}
