export { type AwsKeys, type SageMakerTrainingOptions } from './options/sagemaker-training-options.ts';
export { sagemakerSessions, type SageMakerSessionsOptions, sagemakerTraining } from './sagemaker-training.ts';
