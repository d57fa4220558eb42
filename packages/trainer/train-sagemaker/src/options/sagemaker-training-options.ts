import {
  type Clock,
  systemClock,
  anHttpUrl,
  aBoolean,
  aFunction,
  aNumber,
  anyObject,
  aText,
  custom,
  isRegion,
  matching,
  regionExpected,
  oneOf,
  optional,
  partitionOfRegion,
  type OptionRules,
  readOptions,
} from '@art/ground';

/** Keys as AWS's SDKs have them. */
export interface AwsKeys {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string | undefined;
}

/** Gives the keys of the moment. `forceRefresh`: those that it gave last were refused. AWS's own providers understand it. */
export type KeySource = (options?: { forceRefresh?: boolean }) => Promise<AwsKeys>;

/** Where a session trains, and with what. Limits are those of the API "SageMaker" 2017-07-24. */
export interface SageMakerTrainingOptions {
  region: string;
  /** The role that the session works as: it has `AmazonSageMakerTrainingSessionFullAccess`. */
  roleArn: string;
  /** ARN of a hub's model: `arn:aws:sagemaker:us-west-2:aws:hub-content/SageMakerPublicHub/Model/openai-reasoning-gpt-oss-20b/1.0.0`. */
  baseModelArn: string;
  /** Where weights and states go: `s3://bucket/prefix`. */
  outputS3: string;
  /** Accepts the licence of the model, where it has one to accept. @default not said */
  acceptEula?: boolean | undefined;
  /** Rank of the adapter, 1 to 256. @default 32 */
  loraRank?: number | undefined;
  /** Alpha of the adapter. @default 64 */
  loraAlpha?: number | undefined;
  /** Where saved weights are listed. @default the service's own */
  modelPackageGroupArn?: string | undefined;
  kmsKeyArn?: string | undefined;
  vpcConfig?: { SecurityGroupIds: string[]; Subnets: string[] } | undefined;
  tags?: Readonly<Record<string, string>> | undefined;
  /**
   * How the service brings the losses of tokens together. AWS does not document this.
   * With `token-mean` advantages are multiplied so that the sum comes out. @default 'sum'
   */
  reduction?: 'sum' | 'token-mean' | undefined;
  /** @default those of the environment, as AWS's SDKs find them */
  credentials?: KeySource | undefined;
  /** @default `https://api.sagemaker.<region>.amazonaws.com` */
  endpoint?: string | undefined;
  /** @default `https://training-session-runtime.sagemaker.<region>.amazonaws.com` */
  runtimeEndpoint?: string | undefined;
  /** How often an operation is asked for its result. @default 2_000 */
  pollMs?: number | undefined;
  /** How long a new session may take until it is ready. @default 600_000 */
  readyWithinMs?: number | undefined;
  /** Hears of waiting that takes long. @default nobody */
  onNotice?: ((message: string) => void) | undefined;
  /** @default the real clock */
  clock?: Clock | undefined;
}

const rules = {
  region: custom(regionExpected, (value) => typeof value === 'string' && isRegion(value)),
  roleArn: matching('the ARN of a role', /^arn:aws[a-z-]*:iam::\d{12}:role\/\S+$/),
  baseModelArn: matching(
    'the ARN of a model of a hub',
    /^arn:aws[a-z-]*:sagemaker:[^:]*:[^:]*:hub-content\/\S+$/,
  ),
  outputS3: matching('an S3 address such as s3://bucket/prefix', /^(s3|https):\/\/\S{1,1016}$/),
  acceptEula: optional(aBoolean),
  loraRank: optional(aNumber({ min: 1, max: 256, integer: true }), 32),
  loraAlpha: optional(aNumber({ min: 1, integer: true }), 64),
  modelPackageGroupArn: optional(aText),
  kmsKeyArn: optional(aText),
  vpcConfig: optional(anyObject<{ SecurityGroupIds: string[]; Subnets: string[] }>()),
  tags: optional(anyObject<Readonly<Record<string, string>>>()),
  reduction: optional(oneOf('sum', 'token-mean'), 'sum' as const),
  credentials: optional(aFunction<KeySource>()),
  endpoint: optional(anHttpUrl),
  runtimeEndpoint: optional(anHttpUrl),
  pollMs: optional(aNumber({ min: 0 }), 2_000),
  readyWithinMs: optional(aNumber({ min: 0 }), 600_000),
  onNotice: optional(aFunction<(message: string) => void>(), () => undefined),
  clock: optional(anyObject<Clock>(), systemClock),
} satisfies OptionRules<SageMakerTrainingOptions>;

export type ResolvedTrainingOptions = ReturnType<typeof readTrainingOptions>;

/** @throws ArtError `ART_INVALID_OPTION` */
export function readTrainingOptions(options: SageMakerTrainingOptions) {
  const read = readOptions('sagemakerTraining', options, rules);
  const { region } = read;
  return {
    ...read,
    endpoint: read.endpoint ?? controlEndpoint(region),
    runtimeEndpoint:
      read.runtimeEndpoint ??
      `https://training-session-runtime.sagemaker.${region}.${partitionOfRegion(region).dnsSuffix}`,
  };
}

/** Where the control plane of a region is. */
export function controlEndpoint(region: string): string {
  return `https://api.sagemaker.${region}.${partitionOfRegion(region).dnsSuffix}`;
}
