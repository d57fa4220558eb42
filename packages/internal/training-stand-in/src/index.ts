export type { LossReduction } from './session-operations.ts';
export {
  type LocalTrainingSessions,
  type LocalTrainingSessionsOptions,
  startLocalTrainingSessions,
  type TrainingSessionCall,
  type TrainingSessionFault,
} from './start-local-training-sessions.ts';
export type { AppliedOperation, OperationFault } from './training-session.ts';
