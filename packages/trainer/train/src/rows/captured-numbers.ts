import type { TrainingRow } from '@art/trajectories';

/** Engines write -9999, the least number of their format or -100 where they have no logprob. No token that is so unlikely is ever sampled. */
const leastLogprob = -80;
/** A probability above 1 by more than rounding. */
const mostLogprob = 1e-3;

/** True if it can be the logprob of a token that was sampled. */
export function isPossibleLogprob(logprob: number | null | undefined): logprob is number {
  return typeof logprob === 'number' && logprob >= leastLogprob && logprob <= mostLogprob;
}

/** A token that trains, and a number of it that nobody can train on, in words; undefined where all can be. */
export function strangeNumber({
  row_id: name,
  loss_mask: mask,
  logprobs,
  advantages,
}: TrainingRow): string | undefined {
  for (const [at, trains] of mask.entries()) {
    if (trains !== 1) continue;
    // JSON from elsewhere: null is no 0.
    const logprob = logprobs[at] as number | null | undefined;
    if (!isPossibleLogprob(logprob))
      return `Token ${at} of the answer of row ${JSON.stringify(name)} has the logprob ${String(logprob)}, which no sampled token has: the engine had none, or the capture lost it.`;
    const advantage = advantages?.[at];
    if (advantage !== undefined && !Number.isFinite(advantage))
      return `Token ${at} of the answer of row ${JSON.stringify(name)} has the advantage ${advantage}: a reward of its group is no number that can be compared.`;
  }
  return undefined;
}
