export { CodeTestsReward, type CodeAnswer, type CodeTestsRewardOptions } from './code-tests-reward.ts';
export type { CodeLanguage } from './interpreter.ts';
export type { CodeLimits } from './run-judged.ts';
