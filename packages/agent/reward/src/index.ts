export { AutoevalsReward, type AutoevalsScore, type AutoevalsScorer } from './autoevals-reward.ts';
export { ClipReward, type ClipRewardOptions } from './clip-reward.ts';
export { ExactMatchReward, type ExactMatchRewardOptions } from './exact-match-reward.ts';
export { extractGsm8kAnswer, gsm8kSearchedCharacters, type Gsm8kExtraction } from './extract-gsm8k-answer.ts';
export { GSM8KReward, type GSM8KRewardOptions } from './gsm8k-reward.ts';
export { JsonMatchReward, type JsonAnswer, type JsonMatchRewardOptions } from './json/json-match-reward.ts';
export { MajorityReward, type MajorityRewardOptions } from './majority-reward.ts';
export { normalizeReward } from './normalize-reward.ts';
export type { ModelUsage, RewardContext } from './reward-context.ts';
export { RewardFunction } from './reward-function.ts';
export type { RewardValue } from './reward-value.ts';
export { SelectReward } from './select-reward.ts';
export type { TextAnswer } from './text-answer.ts';
export type { ToolCall, TrajectoryMessages } from './trajectory/read-tool-calls.ts';
export {
  TrajectoryReward,
  type ExpectedCall,
  type TrajectoryRewardOptions,
} from './trajectory/trajectory-reward.ts';
export { WeightedSumReward, type WeightedReward } from './weighted-sum-reward.ts';
