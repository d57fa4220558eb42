export { CodeTestsReward, type CodeAnswer, type CodeTestsRewardOptions } from './code-tests-reward.ts';
export type { CodeLimits } from './run-bounded.ts';
export type { CodeLanguage } from './test-program.ts';
