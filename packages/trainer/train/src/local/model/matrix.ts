import type { Floats, Strided } from '../numbers/gemm.ts';

/** Rows of numbers, and what the loss would change by with each of them. */
export interface Matrix {
  readonly rows: number;
  readonly columns: number;
  readonly data: Floats;
  /** Undefined where nobody wants it: while sampling, and of weights that are not trained. */
  readonly grad: Floats | undefined;
}

/**
 * The record of a forward pass for the backward pass: how to carry gradients from the result of each operation to its
 * inputs.
 */
export class Tape {
  readonly #backward: (() => void)[] = [];

  record(backward: () => void): void {
    this.#backward.push(backward);
  }

  /** Carries the gradients that were put into the results back to all inputs. */
  runBackward(): void {
    for (const backward of this.#backward.toReversed()) backward();
  }
}

/** Makes the results of operations: float64 where the weights are, with gradients where a tape runs. */
export function makeMatrix(like: Floats, rows: number, columns: number, tape: Tape | undefined): Matrix {
  const Numbers = like instanceof Float64Array ? Float64Array : Float32Array;
  return {
    rows,
    columns,
    data: new Numbers(rows * columns),
    grad: tape && new Numbers(rows * columns),
  };
}

export function asRows(data: Floats, columns: number): Strided {
  return { data, offset: 0, rowStride: columns, columnStride: 1 };
}

export function transposed(data: Floats, columns: number): Strided {
  return { data, offset: 0, rowStride: 1, columnStride: columns };
}
