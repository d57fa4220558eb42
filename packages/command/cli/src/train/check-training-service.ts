import { refuseOption } from '@art/ground';
import type { Finding, RunChecksOptions } from '@art/doctor';
import {
  sagemakerAccount,
  sagemakerTraining,
  type SageMakerTrainingOptions,
  trainingPolicies,
} from '@art/train-sagemaker';
import type { CliContext } from '../cli-context.ts';
import { checkTraining } from './check-training.ts';

export interface TrainingServiceFlags {
  train?: 'sagemaker' | undefined;
  session?: boolean | undefined;
  region?: string | undefined;
  baseModel?: string | undefined;
  roleArn?: string | undefined;
  outputS3?: string | undefined;
}

/**
 * Checks the training service that was named.
 * @throws ArtError `ART_INVALID_OPTION` that names the flag that is missing
 */
export async function checkTrainingService(
  flags: TrainingServiceFlags,
  { env }: Pick<CliContext, 'env'>,
  options: RunChecksOptions,
): Promise<Finding[]> {
  const training = sagemakerOptions(flags, env);
  return await checkTraining({
    ...options,
    account: sagemakerAccount({ region: training.region }),
    service: sagemakerTraining({ ...training, loraRank: 1, loraAlpha: 2 }),
    region: training.region,
    baseModelArn: training.baseModelArn,
    withSession: flags.session === true,
  });
}

/**
 * The rights that training with these flags needs, as IAM reads them. Asks nobody.
 * @throws ArtError `ART_INVALID_OPTION`
 */
export function trainingRights(flags: TrainingServiceFlags, { env }: Pick<CliContext, 'env'>): string {
  if (flags.train !== 'sagemaker') refuseOption('--policies', 'beside --train sagemaker', flags.train);
  return `${JSON.stringify(trainingPolicies(sagemakerOptions(flags, env)), undefined, 2)}\n`;
}

function sagemakerOptions(
  { region, baseModel, roleArn, outputS3 }: TrainingServiceFlags,
  env: CliContext['env'],
): SageMakerTrainingOptions {
  const place = region ?? env['AWS_REGION'] ?? env['AWS_DEFAULT_REGION'];
  return {
    region: needed(place, '--region', 'a region such as us-west-2'),
    baseModelArn: needed(baseModel, '--base-model', 'the ARN of a model of a hub'),
    roleArn: needed(roleArn, '--role-arn', 'the role that the session works as'),
    outputS3: needed(outputS3, '--output-s3', 'an address such as s3://bucket/prefix'),
  };
}

function needed(value: string | undefined, name: string, expected: string): string {
  return value === undefined || value === '' ? refuseOption(name, expected, value) : value;
}
