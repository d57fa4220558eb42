export { randomSource } from './random-source.ts';
export { isReducer, type TaskReduction, reduceScores } from './reduce-scores.ts';
export { doubtsOfPair, type JudgedRun } from './pair-doubts.ts';
export { plainMean } from './clustered-mean.ts';
export { quantile } from './quantile.ts';
export { estimateDifference, type Difference } from './estimate-difference.ts';
