/**
 * A reward: one number for the whole rollout, or one number a turn. Trainers that take a single number read the last
 * element of a list, so an outcome reward may also be a list of one.
 */
export type RewardValue = number | number[];
