export { ClipReward, type ClipRewardOptions } from './clip-reward.ts';
export { ExactMatchReward, type ExactMatchRewardOptions } from './exact-match-reward.ts';
export { extractGsm8kAnswer, gsm8kSearchedCharacters, type Gsm8kExtraction } from './extract-gsm8k-answer.ts';
export { GSM8KReward, type GSM8KRewardOptions } from './gsm8k-reward.ts';
export { normalizeReward } from './normalize-reward.ts';
export { RewardFunction } from './reward-function.ts';
export type { RewardValue } from './reward-value.ts';
export type { TextAnswer } from './text-answer.ts';
export { WeightedSumReward, type WeightedReward } from './weighted-sum-reward.ts';
