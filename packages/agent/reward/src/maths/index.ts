export { equalMaths, type MathsEqualityOptions } from './equal-maths.ts';
export { extractMathsAnswer } from './extract-maths-answer.ts';
export { MathsReward, type MathsRewardOptions } from './maths-reward.ts';
