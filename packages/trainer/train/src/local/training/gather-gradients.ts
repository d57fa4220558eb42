import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Loss, StepRow } from '../../steps/index.ts';
import { inParts } from '../model/in-parts.ts';
import type { Span } from '../model/attention.ts';
import { Tape } from '../model/matrix.ts';
import type { Policy } from '../model/policy.ts';
import { logSumExp } from '../numbers/log-sum-exp.ts';
import { targetLosses } from './losses.ts';

export interface GatheredPass {
  /** Summed over rows and targets. */
  loss: number;
  /** By row, the logprob of each target. */
  logprobs: number[][];
}

/**
 * Adds the gradient of the loss over `rows` to the `grad` of each trained weight, part by part. Without a loss, only the logprobs are
 * computed.
 * @throws the signal's reason, between two parts
 */
export async function gatherGradients(
  policy: Policy,
  rows: readonly StepRow[],
  loss: Loss | undefined,
  signal?: AbortSignal,
): Promise<GatheredPass> {
  const pass: GatheredPass = { loss: 0, logprobs: [] };
  for (const part of inParts(rows, ({ tokens }) => tokens.length)) {
    readPart(policy, part, loss, pass);
    await nextTurn();
    signal?.throwIfAborted();
  }
  return pass;
}

function readPart(
  policy: Policy,
  rows: readonly StepRow[],
  loss: Loss | undefined,
  pass: GatheredPass,
): void {
  const spans: Span[] = [];
  let start = 0;
  for (const { tokens } of rows) {
    spans.push({ start, length: tokens.length, position: 0 });
    start += tokens.length;
  }
  const tape = loss && new Tape();
  const taped = tape && { tape };
  const scores = policy.scores(
    policy.read(
      rows.flatMap(({ tokens }) => [...tokens]),
      spans,
      taped,
    ),
    tape,
  );
  const size = scores.columns;
  for (const [index, row] of rows.entries()) {
    const first = spans[index]!.start;
    const normalisers = row.targets.map((_, at) => logSumExp(scores.data, (first + at) * size, size));
    const logprobs = row.targets.map(
      (target, at) => scores.data[(first + at) * size + target]! - normalisers[at]!,
    );
    pass.logprobs.push(logprobs);
    if (loss === undefined) continue;
    const { total, slopes } = targetLosses(row, logprobs, loss);
    pass.loss += total;
    for (const [at, target] of row.targets.entries()) {
      const slope = slopes[at]!;
      if (slope === 0) continue;
      const from = (first + at) * size;
      for (let token = 0; token < size; token += 1)
        scores.grad![from + token] = -slope * Math.exp(scores.data[from + token]! - normalisers[at]!);
      scores.grad![from + target]! += slope;
    }
  }
  tape?.runBackward();
}
