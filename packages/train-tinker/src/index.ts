export type { TinkerTrainingOptions } from './options/tinker-training-options.ts';
export { tinkerTraining } from './tinker-training.ts';
