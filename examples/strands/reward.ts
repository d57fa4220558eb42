import { GSM8KReward } from '@art/agent';

/** 1 where the number after `####` is the right one, else 0. For a reward of your own, extend `RewardFunction`. */
export const reward = new GSM8KReward();
