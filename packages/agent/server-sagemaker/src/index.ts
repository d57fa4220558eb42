export { type AwsCredentials, bearerToken, type BearerTokenOptions } from './bearer-token.ts';
export { type CredentialsProvider } from './fresh-token.ts';
export { type SageMakerModel, sagemakerModel } from './sagemaker-model.ts';
export { sagemakerRollouts, type SageMakerRolloutsOptions } from './sagemaker-rollouts.ts';
