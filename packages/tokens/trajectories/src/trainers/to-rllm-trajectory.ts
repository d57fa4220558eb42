import type { JsonObject } from '@art/ground';
import type { CaptureRecord } from '../captures/capture-record.ts';
import { refuseTurnCredit } from '../rows/refuse-turn-credit.ts';
import type { TrainingRow } from '../rows/training-row.ts';

/** A step of rllm: one call of the agent. */
export interface RllmStep {
  prompt_ids: readonly number[];
  response_ids: readonly number[];
  logprobs: readonly number[];
  routing_matrices: readonly string[] | null;
  weight_version: number | null;
  /** The conversation up to and with the answer; empty where it is made from rows, which have no text. */
  chat_completions: readonly JsonObject[];
  /** Reward of the rollout on the last step, where null is none; 0 on all others. */
  reward: number | null;
  done: boolean;
}

/** A trajectory of rllm. */
export interface RllmTrajectory {
  name: string;
  steps: readonly RllmStep[];
  reward: number | null;
}

export interface RllmTrajectoryOptions {
  /** @default 'agent' */
  name?: string;
  /** Reward of the rollout. @default that of the last row; null for captures */
  reward?: number | null;
}

/**
 * A rollout for rllm, a step for each capture, or for each turn of the rows in which it trains. Captures that are not captured
 * completely make no step: rllm takes empty or misaligned ids for an error. The reward is on the last step.
 * @throws ArtError `ART_INVALID_TRAINING_ROW` for rows with advantages by turn
 */
export function toRllmTrajectory(
  source: { captures: readonly CaptureRecord[] } | { rows: readonly TrainingRow[] },
  options: RllmTrajectoryOptions = {},
): RllmTrajectory {
  if ('rows' in source) refuseTurnCredit(source.rows, 'rllm');
  const steps =
    'captures' in source ? source.captures.flatMap(stepOfCapture) : source.rows.flatMap(stepsOfRow);
  const rowReward = 'rows' in source ? (source.rows.find((row) => row.is_last)?.reward ?? null) : null;
  const reward = options.reward === undefined ? rowReward : options.reward;
  return {
    name: options.name ?? 'agent',
    steps: steps.map((step, index) => {
      const isLast = index === steps.length - 1;
      return Object.assign(step, { reward: isLast ? reward : 0, done: isLast });
    }),
    reward,
  };
}

type OpenStep = Omit<RllmStep, 'reward' | 'done'>;

function stepOfCapture(capture: CaptureRecord): OpenStep[] {
  const { completion_token_ids: ids, logprobs } = capture;
  const isWhole =
    (capture.capture ?? 'complete') === 'complete' && ids.length > 0 && logprobs?.length === ids.length;
  if (!isWhole) return [];
  return [
    {
      prompt_ids: capture.prompt_token_ids,
      response_ids: ids,
      logprobs,
      routing_matrices: capture.routing_matrices,
      weight_version: capture.weight_version,
      chat_completions: [...capture.messages, capture.response_message],
    },
  ];
}

function stepsOfRow(row: TrainingRow): OpenStep[] {
  return row.turn_spans
    .filter(({ start, end }) => row.loss_mask.slice(start, end).includes(1))
    .toSorted((a, b) => a.start - b.start)
    .map((span) => ({
      prompt_ids: row.token_ids.slice(0, row.prompt_length + span.start),
      response_ids: row.token_ids.slice(row.prompt_length + span.start, row.prompt_length + span.end),
      logprobs: row.logprobs.slice(span.start, span.end),
      routing_matrices: null,
      weight_version: span.weight_version ?? null,
      chat_completions: [],
    }));
}
