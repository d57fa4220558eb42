export type { TinkerTrainingOptions } from './options/tinker-training-options.ts';
export { tinkerSessions, tinkerTraining } from './tinker-training.ts';
