import type { RequestContext } from '../request/request-context.ts';

// What the request lacked, for which nobody will ever read the result.
const reasons = {
  plain:
    'the request had no _rollout. Register an invocationHandler to answer such requests, or send _rollout with exp_id, input_id and s3_bucket.',
  untargeted: '_rollout has no exp_id, input_id and s3_bucket, which say where to store it.',
} as const;

/** Says that results were computed and kept nowhere: once for each way of asking for that. */
export class UnkeptResults {
  readonly #told = new Set<keyof typeof reasons>();

  note({ rollout, log }: RequestContext): void {
    const reason = rollout === undefined ? 'plain' : 'untargeted';
    if (this.#told.has(reason)) return;
    this.#told.add(reason);
    log.warn(
      `The rollout handler ended, and its result is kept nowhere: ${reasons[reason]} This is logged once.`,
    );
  }
}
