export { type AwsKeys, type SageMakerTrainingOptions } from './options/sagemaker-training-options.ts';
export { sagemakerTraining } from './sagemaker-training.ts';
