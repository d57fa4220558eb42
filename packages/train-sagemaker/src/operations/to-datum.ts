import type { Loss, StepRow } from '@art/train/steps';

/** The API takes flat lists with a type. */
interface TensorData {
  data: readonly number[];
  dtype: 'int64' | 'float32';
  shape: [number];
}

/** A row as the API of training sessions takes it. */
export interface Datum {
  modelInput: { chunks: [{ tokens: readonly number[]; type: 'encoded_text' }] };
  lossFnInputs: Record<string, TensorData>;
}

/** @param scale what advantages are multiplied by */
export function toDatum(row: StepRow, loss: Loss, scale: number): Datum {
  const { tokens, targets, weights, logprobs, advantages } = row;
  const float = (data: readonly number[]): TensorData => ({ data, dtype: 'float32', shape: [data.length] });
  return {
    modelInput: { chunks: [{ tokens, type: 'encoded_text' }] },
    lossFnInputs: {
      target_tokens: { data: targets, dtype: 'int64', shape: [targets.length] },
      weights: float(weights),
      ...(loss.name !== 'cross_entropy' && {
        logprobs: float(logprobs ?? []),
        // Where a target does not train its advantage is 0, too: a loss that passes over the weights must not train on the prompt.
        advantages: float(
          (advantages ?? []).map((advantage, at) => (weights[at] === 0 ? 0 : advantage * scale)),
        ),
      }),
    },
  };
}

/** The sizes of one request that AWS's own SDK keeps. */
const mostRows = 1_024;
const mostBytes = 10_000_000;
const bytesPerNumber = 10;

/** Rows in their order, as requests that are small enough. A row that is too large by itself is a request of its own. */
export function chunkRows(rows: readonly StepRow[], loss: Loss): StepRow[][] {
  const lists = loss.name === 'cross_entropy' ? 3 : 5;
  const chunks: StepRow[][] = [];
  let bytes = 0;
  for (const row of rows) {
    const more = row.tokens.length * lists * bytesPerNumber;
    const last = chunks.at(-1);
    if (last === undefined || last.length >= mostRows || bytes + more > mostBytes) {
      chunks.push([row]);
      bytes = more;
    } else {
      last.push(row);
      bytes += more;
    }
  }
  return chunks;
}
