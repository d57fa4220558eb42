export type {
  EvaluationOptions,
  GroupChoices,
  GuardOptions,
  RolloutSource,
  StopWhen,
  TokenPrices,
  TrainOptions,
} from './run/train-options.ts';
export { train } from './loop/train.ts';
export type { StepEvaluation, TrainingEnd, TrainingStep } from './run/training-step.ts';
export type { LossAverage } from './rows/average-loss.ts';
export type { UpdateMeasures } from './guards/update-guard.ts';
export type { Lag } from './rows/measure-lag.ts';
export {
  ServedPolicy,
  type PolicyAnswer,
  type PolicyRequest,
  type ServedPolicyOptions,
} from './sampling/served-policy.ts';
export { isHeld, SessionRegister, type RegisteredSession } from './sessions/session-register.ts';
