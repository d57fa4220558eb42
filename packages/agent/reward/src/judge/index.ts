export { ChatModel, type ChatMessage, type ChatModelOptions, type ModelMeter } from './chat-model.ts';
export { GroupJudge, type GroupJudgeOptions } from './group-judge.ts';
export type { JudgeCache, JudgeModelOptions } from './judge-model.ts';
export { PairReward, type AnswerPair, type PairRewardOptions } from './pair-reward.ts';
export { RubricReward, type RubricAnswer, type RubricRewardOptions } from './rubric-reward.ts';
