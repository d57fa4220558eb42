import type { TrainingRow, TurnSpan } from '../rows/training-row.ts';
import type { ResolvedTrajectoryOptions } from './trajectory-options.ts';
import type { CallOrder } from '../tree/call-order.ts';
import type { MaskReason, Turn } from '../tree/turn.ts';
import type { RowBuilder, RowSpan } from './row-builder.ts';

/** A turn that does not train, for the metadata of rows. */
export interface MaskedTurn {
  captureId: string;
  reason: MaskReason;
  /** Findings of the checks of its capture. */
  problems: readonly string[];
}

export interface RowContext {
  sessionId: string;
  options: ResolvedTrajectoryOptions;
  masked: readonly MaskedTurn[];
  order: CallOrder;
}

/** Writes rows; those in which nothing trains, or nothing within the bound on their length, are left out. */
export function writeTrainingRows(builders: readonly RowBuilder[], context: RowContext): TrainingRow[] {
  const { maxSampleTokens } = context.options;
  const kept = builders.filter((row) =>
    row.spans.some((span) => row.promptLength + span.start < maxSampleTokens),
  );
  return kept.map((row, index) => writeRow(row, index, kept.length, context));
}

function writeRow(row: RowBuilder, index: number, count: number, context: RowContext): TrainingRow {
  const { options, sessionId, masked, order } = context;
  const isCut = row.tokens.length > options.maxSampleTokens;
  const responseLength = Math.min(row.tokens.length, options.maxSampleTokens) - row.promptLength;
  const spans = row.spans.filter((span) => span.start < responseLength);
  const last = row.turns.at(-1)?.capture;
  const isTruncated = isCut || last?.finishReason === 'length';
  const described = row.conversation ?? row.turns;
  const isLast = index === count - 1;
  const experts = soleExperts(row, isCut);
  return {
    schema: 'art.training-row.v1',
    row_id: `${sessionId}#${index}`,
    session_id: sessionId,
    rollout_id: options.rolloutId ?? sessionId,
    group_id: options.groupId,
    row_index: index,
    row_count: count,
    is_last: isLast,
    token_ids: isCut ? row.tokens.slice(0, options.maxSampleTokens) : row.tokens,
    prompt_length: row.promptLength,
    loss_mask: isCut ? row.mask.slice(0, responseLength) : row.mask,
    logprobs: isCut ? row.logprobs.slice(0, responseLength) : row.logprobs,
    reward: options.rewardOn === 'every' || isLast ? options.reward : null,
    status: isTruncated ? 'truncated' : 'completed',
    finish_reason: last?.finishReason ?? null,
    num_turns: row.turns.length,
    turn_spans: spans.map((span) => writeSpan(span, responseLength, order)),
    ...(experts.kind === 'kept' ? { routed_experts: experts.value } : {}),
    model: last?.model ?? '',
    created_at: last?.timestampMs ?? 0,
    metadata: {
      truncated: isCut || described.at(-1)?.capture.finishReason === 'length',
      use_tool: described.some(usesTool),
      ill_formed: described.some(isIllFormed),
      ...(masked.length === 0
        ? {}
        : {
            masked_turns: masked.map(({ captureId, reason, problems }) => ({
              trace_id: captureId,
              reason,
              problems: [...problems],
            })),
          }),
      ...(experts.kind === 'omitted' ? { routed_experts_omitted: true } : {}),
      ...options.metadata,
    },
  };
}

function writeSpan({ turn, start, end }: RowSpan, responseLength: number, order: CallOrder): TurnSpan {
  const { capture } = turn;
  const place = order.placeOf(capture);
  const stop = Math.min(end, responseLength);
  const versions = capture.weightVersions
    .map((span) => ({
      version: span.version,
      start: start + span.start,
      end: Math.min(start + span.end, stop),
    }))
    .filter((span) => span.start < span.end);
  return {
    trace_id: capture.captureId,
    start,
    end: stop,
    ...(place === undefined ? {} : { turn: place }),
    ...(capture.temperature === undefined ? {} : { temperature: capture.temperature }),
    ...(capture.topP === undefined ? {} : { top_p: capture.topP }),
    weight_version: capture.weightVersion ?? null,
    ...(capture.weightVersionRange && { weight_version_range: capture.weightVersionRange }),
    ...(versions.length === 0 ? {} : { weight_versions: versions }),
  };
}

type Experts =
  | { kind: 'none' }
  | { kind: 'omitted' }
  | { kind: 'kept'; value: NonNullable<TrainingRow['routed_experts']> };

/** Encoded for one call, and not decoded here: they fit a row only where that call is all of it. */
function soleExperts(row: RowBuilder, isCut: boolean): Experts {
  const [only, ...others] = row.turns.map((turn) => turn.capture.routedExperts);
  if (others.length === 0 && only !== undefined && !isCut) {
    const { data, encoding, shape } = only;
    return { kind: 'kept', value: { data, encoding, ...(shape === undefined ? {} : { shape }) } };
  }
  return [only, ...others].some((experts) => experts !== undefined) ? { kind: 'omitted' } : { kind: 'none' };
}

function usesTool({ capture }: Turn): boolean {
  return /"tool_calls"\s*:\s*\[\s*\{/.test(capture.responseMessage);
}

// Which of them it was is in the captures; a trainer that drops or penalises such rows needs no more than the fact.
function isIllFormed({ capture }: Turn): boolean {
  return capture.metadata['ill_formed'] === true;
}
