export type { BaseModel } from './control/control-plane.ts';
export {
  type AwsKeys,
  type KeySource,
  type SageMakerTrainingOptions,
} from './options/sagemaker-training-options.ts';
export { trainingPolicies, type TrainingPolicies, type TrainingPolicy } from './training-policies.ts';
export {
  type SageMakerAccount,
  sagemakerAccount,
  sagemakerSessions,
  type SageMakerSessionsOptions,
  sagemakerTraining,
} from './sagemaker-training.ts';
