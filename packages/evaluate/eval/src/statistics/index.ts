export { randomSource } from './random-source.ts';
export { estimateDifference, type Difference } from './estimate-difference.ts';
