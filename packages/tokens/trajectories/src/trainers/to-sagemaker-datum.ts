import type { TrainingRow } from '../rows/training-row.ts';
import { toTinkerDatum, type TinkerDatum, type TinkerDatumOptions } from './to-tinker-datum.ts';

/** A datum of SageMaker's training sessions, for each of their policy losses. */
export interface SageMakerDatum {
  modelInput: TinkerDatum['model_input'];
  lossFnInputs: Required<TinkerDatum['loss_fn_inputs']>;
}

/**
 * A row for SageMaker's training sessions: as for tinker, with `weights`, without which they refuse every loss.
 * Source: the model of `sagemakertrainingsessionruntime`, 2025-02-10.
 * @throws ArtError as {@link toTinkerDatum} does
 */
export function toSageMakerDatum(
  row: TrainingRow,
  { advantage }: Pick<TinkerDatumOptions, 'advantage'> = {},
): SageMakerDatum {
  const datum = toTinkerDatum(row, { weights: true, ...(advantage !== undefined && { advantage }) });
  return {
    modelInput: datum.model_input,
    lossFnInputs: datum.loss_fn_inputs as Required<TinkerDatum['loss_fn_inputs']>,
  };
}
