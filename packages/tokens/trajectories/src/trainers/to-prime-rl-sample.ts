import { overAllTokens } from '../rows/row-parts.ts';
import type { TrainingRow } from '../rows/training-row.ts';

/** prime-rl's `TrainingSample`: every list is as long as `token_ids`. */
export interface PrimeRlSample {
  token_ids: readonly number[];
  mask: readonly boolean[];
  logprobs: readonly number[];
  temperatures: readonly number[];
  env_name: string;
  advantages: readonly number[] | null;
  /** Little-endian bytes in base64. Null where the engine sent them in another encoding. */
  routed_experts: { data: string; shape: readonly number[]; dtype: string } | null;
}

export interface PrimeRlSampleOptions {
  /** prime-rl's name of the environment. */
  envName: string;
  /** For tokens whose turn does not say, the prompt's among them. @default 1 */
  temperature?: number;
}

/** A row for prime-rl: mask and logprobs are padded over the prompt, temperatures are those of each turn. */
export function toPrimeRlSample(row: TrainingRow, options: PrimeRlSampleOptions): PrimeRlSample {
  const temperature = options.temperature ?? 1;
  const temperatures = Array.from<number>({ length: row.token_ids.length }).fill(temperature);
  for (const span of row.turn_spans) {
    temperatures.fill(
      span.temperature ?? temperature,
      row.prompt_length + span.start,
      row.prompt_length + span.end,
    );
  }
  return {
    token_ids: row.token_ids,
    mask: overAllTokens(
      row,
      row.loss_mask.map((trains) => trains === 1),
      false,
    ),
    logprobs: overAllTokens(row, row.logprobs, 0),
    temperatures,
    env_name: options.envName,
    advantages: row.advantages === undefined ? null : overAllTokens(row, row.advantages, 0),
    routed_experts: expertsOf(row),
  };
}

function expertsOf(row: TrainingRow): PrimeRlSample['routed_experts'] {
  const experts = row.routed_experts;
  if (experts?.encoding !== 'int32_base64' || experts.shape === undefined) return null;
  return { data: experts.data, shape: experts.shape, dtype: 'int32' };
}
