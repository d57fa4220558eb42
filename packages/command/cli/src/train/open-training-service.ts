import { refuseOption } from '@art/ground';
import { sagemakerTraining } from '@art/train-sagemaker';
import { tinkerTraining } from '@art/train-tinker';
import type { CliContext } from '../cli-context.ts';
import { openLocalService } from './open-local-service.ts';
import type { OpenedService } from './opened-service.ts';
import type { ResolvedTraining } from './train-config.ts';
import type { TrainCommandOptions } from './train-options.ts';

/** The smallest `maxTokens` of SageMaker. */
const sagemakerTokens = 512;

/**
 * The service that was named.
 * @param state folder of the run
 * @throws ArtError `ART_INVALID_OPTION` that names the flag that is missing
 */
export async function openTrainingService(
  options: TrainCommandOptions,
  { loraRank, loraAlpha = 2 * loraRank, ...given }: ResolvedTraining['service'],
  { env }: Pick<CliContext, 'env'>,
  state: string,
  onNotice: (message: string) => void,
): Promise<OpenedService> {
  switch (options.on) {
    case 'local':
      return await openLocalService(state);
    case 'sagemaker': {
      const region = options.region ?? env['AWS_REGION'] ?? env['AWS_DEFAULT_REGION'];
      const baseModelArn = needed(options.baseModel, '--base-model', 'the ARN of a model of a hub');
      const service = sagemakerTraining({
        region: needed(region, '--region', 'a region such as us-west-2'),
        roleArn: needed(options.roleArn, '--role-arn', 'the role that the session works as'),
        outputS3: needed(options.outputS3, '--output-s3', 'an address such as s3://bucket/prefix'),
        baseModelArn,
        ...given,
        loraRank,
        loraAlpha,
        onNotice,
      });
      const tokenizer = neededTokenizer(options);
      const described = `a training session of SageMaker in ${region} on ${baseModelArn}`;
      return { service, tokenizer, described, minSampleTokens: sagemakerTokens, maxContext: undefined };
    }
    case 'tinker': {
      const baseModel = needed(options.baseModel, '--base-model', "a model by the server's name");
      const service = tinkerTraining({
        baseModel,
        apiKey: needed(env['TINKER_API_KEY'], 'TINKER_API_KEY', 'a key in the environment'),
        baseUrl: options.tinkerUrl,
        encoding: options.tinkerEncoding,
        loraRank,
        onNotice,
      });
      const tokenizer = neededTokenizer(options);
      return {
        service,
        tokenizer,
        described: `Tinker on ${baseModel}`,
        minSampleTokens: 1,
        maxContext: undefined,
      };
    }
    case undefined:
      return refuseOption('--on', 'local, sagemaker or tinker', undefined, {
        advice: '"--on local" is a rehearsal that costs nothing.',
      });
  }
}

function neededTokenizer({ tokenizer }: TrainCommandOptions): string {
  return needed(tokenizer, '--tokenizer', "a folder with the model's tokenizer.json and chat template");
}

function needed(value: string | undefined, name: string, expected: string): string {
  return value === undefined || value === '' ? refuseOption(name, expected, value) : value;
}
