import { ArtError, refuseOption } from '@art/ground';
import { overAllTokens } from '../rows/row-parts.ts';
import type { TrainingRow } from '../rows/training-row.ts';

/** A list of numbers as tinker's API has it. */
export interface TinkerTensor {
  data: readonly number[];
  dtype: 'int64' | 'float32';
  shape: readonly number[];
}

/** tinker's `Datum` for its policy losses. */
export interface TinkerDatum {
  model_input: { chunks: readonly { type: 'encoded_text'; tokens: readonly number[] }[] };
  loss_fn_inputs: {
    target_tokens: TinkerTensor;
    logprobs: TinkerTensor;
    advantages: TinkerTensor;
    /** Where asked for: 1 for a target that trains. */
    weights?: TinkerTensor;
  };
}

export interface TinkerDatumOptions {
  /** One advantage for every token that trains. @default the row's `advantages`, without which it has to be given */
  advantage?: number;
  /**
   * True if `weights` are there, which SageMaker and the loss `cross_entropy` need. tinker's policy losses refuse them, as any input that
   * they do not know; their mask is an advantage of 0. @default false
   */
  weights?: boolean;
}

/**
 * A row for tinker: the model sees all tokens but the last, each target is the token behind, and logprobs and
 * advantages are shifted with the targets. Where a token does not train its advantage is 0.
 * @throws ArtError `ART_INVALID_OPTION` without an advantage, `ART_INVALID_TRAINING_ROW` for a row of less than 2 tokens
 */
export function toTinkerDatum(row: TrainingRow, options: TinkerDatumOptions = {}): TinkerDatum {
  const { advantage } = options;
  if (advantage === undefined ? row.advantages === undefined : !Number.isFinite(advantage)) {
    const advice = `Row ${JSON.stringify(row.row_id)} has no advantages of its own to take.`;
    refuseOption('advantage', 'a finite number', advantage, row.advantages === undefined ? { advice } : {});
  }
  if (row.token_ids.length < 2) {
    throw new ArtError({
      code: 'ART_INVALID_TRAINING_ROW',
      message: `Expected row ${JSON.stringify(row.row_id)} to have at least 2 tokens, an input and its target, got ${row.token_ids.length}.`,
    });
  }
  const advantages = row.loss_mask.map((trains, index) =>
    trains === 1 ? (advantage ?? row.advantages![index]!) : 0,
  );
  return {
    model_input: { chunks: [{ type: 'encoded_text', tokens: row.token_ids.slice(0, -1) }] },
    loss_fn_inputs: {
      target_tokens: tensor(row.token_ids.slice(1), 'int64'),
      logprobs: tensor(overAllTokens(row, row.logprobs, 0).slice(1), 'float32'),
      advantages: tensor(overAllTokens(row, advantages, 0).slice(1), 'float32'),
      ...(options.weights === true && {
        weights: tensor(overAllTokens(row, row.loss_mask, 0).slice(1), 'float32'),
      }),
    },
  };
}

function tensor(data: readonly number[], dtype: TinkerTensor['dtype']): TinkerTensor {
  return { data, dtype, shape: [data.length] };
}
