export { randomSource } from './random-source.ts';
export { isReducer, type TaskReduction, reduceScores } from './reduce-scores.ts';
export { estimateDifference, type Difference } from './estimate-difference.ts';
