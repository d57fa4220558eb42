export { randomSource } from './random-source.ts';
export { isReducer, type Reduction, reduceScores } from './reduce-scores.ts';
export { estimateDifference, type Difference } from './estimate-difference.ts';
