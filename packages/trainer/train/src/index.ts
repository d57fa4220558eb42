export type { EvaluationOptions, RolloutSource, TaskMixture, TrainOptions } from './run/train-options.ts';
export {
  type GroupChoices,
  type DistillationOptions,
  type GuardOptions,
  type LearningRateSchedule,
  type PolicyLoss,
  readTrainingChoices,
  type RollBackOptions,
  type StopWhen,
  type TokenPrices,
  type TrainingChoices,
} from './run/training-choices.ts';
export { train } from './loop/train.ts';
export type {
  DrawnTask,
  StepEvaluation,
  TrainingEnd,
  TrainingStep,
  UpdateMeasures,
} from './run/training-step.ts';
export type { LossAverage } from './rows/average-loss.ts';
export { endpointTeacher, type EndpointTeacherOptions } from './teacher/endpoint-teacher.ts';
export type { Teacher } from './teacher/teacher.ts';
export type { Lag } from './rows/measure-lag.ts';
export {
  ServedPolicy,
  type PolicyAnswer,
  type PolicyRequest,
  type ServedPolicyOptions,
} from './sampling/served-policy.ts';
export { SessionRegister, type RegisteredSession } from './sessions/session-register.ts';
