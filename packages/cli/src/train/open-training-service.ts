import { join } from 'node:path';
import type { CleanupStack } from '@art/async';
import { refuseOption } from '@art/protocol';
import { byteTokenizer, startLocalTrainingSessions, writeByteTokenizer } from '@art/train/local';
import type { TrainingService } from '@art/train/steps';
import { sagemakerTraining } from '@art/train-sagemaker';
import { tinkerTraining } from '@art/train-tinker';
import type { CliContext } from '../cli-context.ts';
import type { TrainCommandOptions } from './train-options.ts';

/** What makes the steps, and what turns messages into its tokens. */
export interface OpenedService {
  service: TrainingService;
  /** Folder with the tokenizer. */
  tokenizer: string;
  /** For people. */
  described: string;
  minSampleTokens: number;
  maxContext: number | undefined;
}

/** The smallest `maxTokens` of SageMaker, whose wire the sessions of this machine speak, too. */
const sagemakerTokens = 512;
const localContext = 16_384;

/**
 * The service that was named.
 * @param state folder of the run
 * @throws ArtError `ART_INVALID_OPTION` that names the flag that is missing
 */
export async function openTrainingService(
  options: TrainCommandOptions,
  { env }: Pick<CliContext, 'env'>,
  parts: CleanupStack,
  state: string,
  onNotice: (message: string) => void,
): Promise<OpenedService> {
  switch (options.on) {
    case 'local':
      return openLocal(parts, state);
    case 'sagemaker': {
      const region = options.region ?? env['AWS_REGION'] ?? env['AWS_DEFAULT_REGION'];
      const baseModelArn = needed(options.baseModel, '--base-model', 'the ARN of a model of a hub');
      const service = sagemakerTraining({
        region: needed(region, '--region', 'a region such as us-west-2'),
        roleArn: needed(options.roleArn, '--role-arn', 'the role that the session works as'),
        outputS3: needed(options.outputS3, '--output-s3', 'an address such as s3://bucket/prefix'),
        baseModelArn,
        loraRank: options.loraRank,
        loraAlpha: 2 * options.loraRank,
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
        loraRank: options.loraRank,
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

async function openLocal(parts: CleanupStack, state: string): Promise<OpenedService> {
  const tokenizer = join(state, 'tokenizer');
  await writeByteTokenizer(tokenizer);
  const sessions = await startLocalTrainingSessions({
    directory: join(state, 'sessions'),
    shape: {
      vocabularySize: byteTokenizer.vocabularySize,
      hiddenSize: 64,
      intermediateSize: 128,
      layers: 2,
      heads: 4,
      headSize: 16,
      maxContext: localContext,
      endToken: byteTokenizer.endToken,
    },
    textOf: byteTokenizer.textOf,
  });
  parts.defer(() => sessions.close());
  const service = sagemakerTraining({
    region: 'us-west-2',
    roleArn: 'arn:aws:iam::123456789012:role/rehearsal',
    baseModelArn: 'arn:aws:sagemaker:us-west-2:aws:hub-content/SageMakerPublicHub/Model/rehearsal',
    outputS3: 's3://rehearsal/out',
    endpoint: sessions.endpoint,
    runtimeEndpoint: sessions.endpoint,
    credentials: () => Promise.resolve({ accessKeyId: 'local', secretAccessKey: 'local-secret' }),
    pollMs: 20,
  });
  return {
    // Its sessions end with this process: the register of sessions that cost money keeps none.
    service: { ...service, name: 'local' },
    tokenizer,
    described:
      'this machine, a small random policy: the score means nothing; a trace of chance in the rewards makes every group train',
    minSampleTokens: sagemakerTokens,
    maxContext: localContext,
  };
}

function neededTokenizer({ tokenizer }: TrainCommandOptions): string {
  return needed(tokenizer, '--tokenizer', "a folder with the model's tokenizer.json and chat template");
}

function needed(value: string | undefined, name: string, expected: string): string {
  return value === undefined || value === '' ? refuseOption(name, expected, value) : value;
}
