export { estimateDifference, type Difference } from './estimate-difference.ts';
