import type { ArtError } from '@art/ground';
import type { RewardProblem } from './final-reward.ts';
import type { ResultDocument } from './result-document.ts';

/**
 * Outcome of a rollout. Separate from its reward: only `ok` can have one, so a failed machine is never a reward of 0.
 * - `ok`: the agent's own document was stored.
 * - `agent_error`: the handler failed and said so in its document.
 * - `ceiling`: the agent wanted more calls, tokens, time or money of the model than its session may have. The document is
 *   what it made of that.
 * - `infra_error`: the agent's document says that its infrastructure failed, such as the model endpoint; or the model
 *   gateway was down, so that nothing was started; or the result store failed when the rollout's time was up.
 * - `timeout`: no document before the deadline though a live session had accepted the rollout, or the agent's own that
 *   says so.
 * - `lost`: the session died without a document, or with one that says only that it was ended; or it never came to be,
 *   or accepted nothing before the deadline.
 * - `throttled`: gave up under quota, or nothing was accepted before the deadline because of it.
 * - `rejected`: the runtime or the container refused it.
 * - `invalid_result`: a document that cannot be read.
 * - `cancelled`: the caller ended it, or the ceiling of its run did.
 */
export type RolloutOutcome =
  /** `rewardProblem` says why there is no reward; absent where there is one. */
  | { kind: 'ok'; document: ResultDocument; reward: number | undefined; rewardProblem?: RewardProblem }
  | { kind: 'agent_error'; document: ResultDocument; error: ArtError }
  /** The document is there where the agent found time for one. */
  | { kind: 'ceiling' | 'infra_error' | 'timeout' | 'lost'; error: ArtError; document?: ResultDocument }
  | { kind: 'throttled' | 'rejected' | 'cancelled'; error: ArtError }
  | { kind: 'invalid_result'; error: ArtError; text: string };

export type RolloutOutcomeKind = RolloutOutcome['kind'];

/** Every kind, in the order in which summaries show them. */
export const rolloutOutcomeKinds = [
  'ok',
  'agent_error',
  'ceiling',
  'infra_error',
  'timeout',
  'lost',
  'throttled',
  'rejected',
  'invalid_result',
  'cancelled',
] as const satisfies readonly RolloutOutcomeKind[];
