import { ArtError } from '@art/ground';
import type { PassResult, StepResult, StepRow } from '../steps/index.ts';

/** Off policy a step now and then has no row of the newest weights: the others tell. */
const stepsWithoutFreshRow = 10;

/** Notices where a service has not trained what it was given, and says once what it does not let anybody notice. */
export class PassGuard {
  readonly #onNotice: (message: string) => void;
  #hasAnswered = false;
  #isNoticed = false;
  #unobserved = 0;

  constructor(onNotice: (message: string) => void) {
    this.#onNotice = onNotice;
  }

  /**
   * A service that tells nothing by row in its first pass may have no such output; one that has told something before has lost a part.
   * @throws ArtError `ART_TRAIN_PASS_INCOMPLETE`
   */
  checkAnswered(rows: readonly StepRow[], { answeredRows }: PassResult, step: number): void {
    if (answeredRows !== rows.length && (answeredRows > 0 || this.#hasAnswered))
      throw incomplete(
        `Expected the service to answer for each of the ${rows.length} rows of step ${step}, got an answer for ${answeredRows}. A part of the pass was lost, and the optimizer step was made without it.`,
      );
    if (answeredRows > 0) this.#hasAnswered = true;
  }

  /**
   * @param fresh rows that were sampled by the weights that the pass began with: the ratio of others may be cut, and then they have no gradient
   * @throws ArtError `ART_TRAIN_PASS_INCOMPLETE`
   */
  checkGradient(fresh: readonly StepRow[], { metrics }: StepResult, step: number): void {
    const norm = Object.entries(metrics).find(([name]) => name.endsWith('grad_norm'))?.[1];
    if (norm !== 0 || !haveGradient(fresh)) return;
    throw incomplete(
      `Expected a gradient in step ${step}, got a norm of 0, although rows have advantages. The service did not apply the pass, and the weights did not move.`,
    );
  }

  /** Tells once, for all later steps. @param gap undefined where it could not be measured */
  noticeGap(gap: number | undefined, { answeredRows, logprobs }: PassResult): void {
    this.#unobserved = gap === undefined ? this.#unobserved + 1 : 0;
    const isWorthTelling = logprobs === undefined || this.#unobserved >= stepsWithoutFreshRow;
    if (gap !== undefined || this.#isNoticed || !isWorthTelling) return;
    this.#isNoticed = true;
    const why =
      logprobs === undefined
        ? `The service gives no logprobs of a pass${answeredRows === 0 ? ', and no output by row' : ''}`
        : `In ${stepsWithoutFreshRow} steps no row was known to be of the newest weights only`;
    const unseen = answeredRows === 0 ? ' Nor is it known whether every row was trained.' : '';
    this.#onNotice(
      `${why}: the gap between sampler and trainer is not observed, so rows that are not aligned with their logprobs and a stale sampler go unnoticed.${unseen} Look at the held-out score.`,
    );
  }
}

/** True if the advantages do not cancel out. Those of equal answers sum to 0. */
function haveGradient(rows: readonly StepRow[]): boolean {
  const sums = new Map<string, number>();
  for (const { targets, weights, advantages = weights } of rows) {
    for (const [at, weight] of weights.entries()) {
      const prefix = targets.slice(0, at + 1).join();
      if (weight !== 0) sums.set(prefix, (sums.get(prefix) ?? 0) + advantages[at]!);
    }
  }
  return [...sums.values()].some((sum) => Math.abs(sum) > 1e-9);
}

function incomplete(message: string): ArtError {
  return new ArtError({ code: 'ART_TRAIN_PASS_INCOMPLETE', message });
}
