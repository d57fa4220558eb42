export { byteTokenizer, writeByteTokenizer } from './tokenizer/byte-tokenizer.ts';
export type { PolicyShape } from './model/policy-shape.ts';
export type { LoraOptions } from './model/policy-weights.ts';
export { localService } from './session/local-service.ts';
export { LocalSession, type LocalSessionOptions } from './session/local-session.ts';
export type { LossReduction } from './stand-in/session-operations.ts';
export {
  type LocalTrainingSessions,
  type LocalTrainingSessionsOptions,
  startLocalTrainingSessions,
  type TrainingSessionCall,
  type TrainingSessionFault,
} from './stand-in/start-local-training-sessions.ts';
export type { AppliedOperation, OperationFault } from './stand-in/training-session.ts';
export { type WordTokenizer, writeWordTokenizer } from './tokenizer/word-tokenizer.ts';
