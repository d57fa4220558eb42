import { ArtError, describeValue } from '@art/ground';
import type { RewardValue } from './reward-value.ts';

/**
 * Checks what a reward function returned and hands back a copy that nobody else holds.
 *
 * A NaN is an error and never a 0: trainers would take the 0 for a judgement.
 * @param value A finite number, or a non-empty list of finite numbers.
 * @param source Who computed it, for the message. @default 'the reward'
 * @throws ArtError `ART_REWARD_INVALID`, naming the index and the value
 */
export function normalizeReward(value: unknown, source = 'the reward'): RewardValue {
  if (!Array.isArray(value)) return requireFinite(value, source);
  const turns: readonly unknown[] = value;
  if (turns.length === 0) {
    refuse(`Expected ${source} to have one number a turn, got an empty list.`);
  }
  // Array.from also visits the holes of a sparse list, which map() would keep.
  return Array.from(turns, (turn, index) => requireFinite(turn, `element ${index} of ${source}`));
}

function requireFinite(value: unknown, name: string): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  refuse(`Expected ${name} to be a finite number, got ${describeValue(value)}.`);
}

function refuse(problem: string): never {
  throw new ArtError({
    code: 'ART_REWARD_INVALID',
    message: `${problem} Return finite numbers, or throw where a rollout cannot be judged: it then counts as failed and not as bad.`,
  });
}
