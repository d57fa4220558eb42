import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';
import { Errors } from 'typebox/value';
import { WireRefusal } from './wire-refusal.ts';

/*
 * Shapes of what the two services take, with the bounds of their model (botocore 1.44.8: `sagemaker` 2017-07-24,
 * `sagemakertrainingsessionruntime` 2025-02-10).
 */

function members<Of extends TProperties>(properties: Of): TObject<Of> {
  return Type.Object(properties, { additionalProperties: false });
}

/** Exactly one of its members. */
function union<Of extends TProperties>(properties: Of) {
  return Type.Object(
    Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, Type.Optional(schema)])) as {
      [Name in keyof Of]: ReturnType<typeof Type.Optional<Of[Name]>>;
    },
    { additionalProperties: false, minProperties: 1, maxProperties: 1 },
  );
}

const integer = (minimum: number, maximum: number) => Type.Integer({ minimum, maximum });
const number = (minimum: number, maximum: number) => Type.Number({ minimum, maximum });
const text = (maxLength: number) => Type.String({ maxLength });
const arn = Type.String({ pattern: '^arn:aws[a-z-]*:', maxLength: 2_048 });
const packageArn = Type.String({
  pattern: '^arn:aws[a-z-]*:sagemaker:[^:]*:[0-9]{12}:model-package/[^/]+/[0-9]+$',
});
const sessionName = Type.String({ pattern: '^[a-zA-Z0-9](-*[a-zA-Z0-9]){0,62}$' });

const tensor = members({
  data: Type.Array(Type.Number()),
  dtype: Type.String(),
  shape: Type.Optional(Type.Array(Type.Integer())),
});
const modelInput = members({
  chunks: Type.Array(members({ tokens: Type.Array(Type.Integer()), type: Type.Literal('encoded_text') }), {
    minItems: 1,
  }),
});
const lossPass = members({
  lossFnName: Type.Union([
    Type.Literal('cross_entropy'),
    Type.Literal('importance_sampling'),
    Type.Literal('ppo'),
    Type.Literal('cispo'),
  ]),
  datumList: Type.Array(
    members({
      modelInput,
      lossFnInputs: Type.Optional(
        members({
          target_tokens: Type.Optional(tensor),
          weights: Type.Optional(tensor),
          advantages: Type.Optional(tensor),
          logprobs: Type.Optional(tensor),
          ref_log_prob: Type.Optional(tensor),
          temperature: Type.Optional(tensor),
        }),
      ),
    }),
    { minItems: 1 },
  ),
  lossFnConfig: Type.Optional(
    members({
      clip_low_threshold: Type.Optional(number(0, 1)),
      clip_high_threshold: Type.Optional(number(1, 10)),
    }),
  ),
});
const adamParamsConfig = members({
  learningRate: Type.Number({ exclusiveMinimum: 0, maximum: 0.01 }),
  beta1: Type.Optional(number(0, 0.999999)),
  beta2: Type.Optional(number(0, 0.999999)),
  eps: Type.Optional(number(1e-16, 0.01)),
  weightDecay: Type.Optional(number(0, 1)),
  gradClipNorm: Type.Optional(number(0, 100)),
  loraPlusLrRatio: Type.Optional(number(1, 100)),
});
const description = Type.Optional(text(1_024));

export const shapes = {
  CreateTrainingSession: members({
    TrainingSessionName: sessionName,
    LoraConfig: members({ Rank: integer(1, 256), Alpha: Type.Integer({ minimum: 1 }) }),
    RoleArn: arn,
    ModelConfig: members({ BaseModelArn: arn, AcceptEula: Type.Optional(Type.Boolean()) }),
    OutputConfig: members({
      S3Location: members({
        Path: Type.String({ pattern: '^(https|s3)://', maxLength: 1_024 }),
        KmsKeyArn: Type.Optional(Type.String()),
      }),
    }),
    ModelPackageGroupArn: Type.Optional(arn),
    VpcConfig: Type.Optional(
      members({
        SecurityGroupIds: Type.Array(Type.String(), { minItems: 1, maxItems: 5 }),
        Subnets: Type.Array(Type.String(), { minItems: 1, maxItems: 16 }),
      }),
    ),
    Tags: Type.Optional(Type.Array(members({ Key: Type.String(), Value: Type.String() }), { maxItems: 50 })),
  }),
  OneTrainingSession: members({ TrainingSessionName: sessionName }),
  DeleteModelPackage: members({ ModelPackageName: packageArn }),
  ListTrainingSessions: members({
    NextToken: Type.Optional(Type.String()),
    MaxResults: Type.Optional(integer(1, 100)),
    CreationTimeAfter: Type.Optional(Type.Number()),
    CreationTimeBefore: Type.Optional(Type.Number()),
    NameContains: Type.Optional(text(63)),
    StatusEquals: Type.Optional(Type.String()),
  }),
  DescribeHubContent: members({
    HubName: Type.String(),
    HubContentType: Type.String(),
    HubContentName: Type.String(),
    HubContentVersion: Type.Optional(Type.String()),
  }),
  ExecuteTrainingOperation: members({
    sequenceNumber: Type.Integer({ minimum: 1 }),
    clientToken: Type.Optional(Type.String({ pattern: '^[a-zA-Z0-9-]{1,128}$' })),
    operationConfig: union({
      forward: lossPass,
      forwardBackward: lossPass,
      optimizerStep: members({ adamParamsConfig }),
      saveWeights: members({ mergeWeights: Type.Optional(Type.Boolean()), description }),
      saveState: members({ description }),
      loadState: members({ modelPackageArn: packageArn, loadOptimizer: Type.Boolean() }),
    }),
  }),
  ExecuteSamplingOperation: members({
    operationConfig: union({
      sample: members({
        prompt: modelInput,
        numSamples: integer(1, 1_000),
        samplingParams: members({
          maxTokens: integer(512, 131_072),
          temperature: Type.Optional(number(0, 2)),
          topK: Type.Optional(Type.Integer({ minimum: -1 })),
          topP: Type.Optional(number(0, 1)),
          seed: Type.Optional(Type.Integer()),
          stop: Type.Optional(Type.Array(Type.String())),
        }),
        includePromptLogprobs: Type.Optional(Type.Boolean()),
        topkPromptLogprobs: Type.Optional(Type.Integer({ minimum: 0 })),
        modelPackageArn: Type.Optional(packageArn),
      }),
      computeLogprobs: members({ prompt: modelInput, modelPackageArn: Type.Optional(packageArn) }),
      loadWeightsForSampling: members({ modelPackageArn: packageArn }),
    }),
  }),
};

export type CreateRequest = Static<typeof shapes.CreateTrainingSession>;
export type ListRequest = Static<typeof shapes.ListTrainingSessions>;
export type TrainingRequest = Static<typeof shapes.ExecuteTrainingOperation>;
export type TrainingConfig = TrainingRequest['operationConfig'];
export type SamplingConfig = Static<typeof shapes.ExecuteSamplingOperation>['operationConfig'];
export type LossPass = Static<typeof lossPass>;
export type WireModelInput = Static<typeof modelInput>;
export type WireAdam = Static<typeof adamParamsConfig>;

/** @throws WireRefusal `ValidationException` that names the member and its bound */
export function readShape<Schema extends TSchema>(schema: Schema, body: Buffer): Static<Schema> {
  let value: unknown;
  try {
    value = JSON.parse(body.length === 0 ? '{}' : body.toString());
  } catch {
    throw new WireRefusal('ValidationException', 'The body is not JSON.');
  }
  const [error] = Errors(schema, value);
  if (error === undefined) return value as Static<Schema>;
  throw new WireRefusal(
    'ValidationException',
    `1 validation error detected: Value at '${error.instancePath.slice(1).replaceAll('/', '.')}' failed to satisfy constraint: ${error.message}`,
  );
}

const needed = {
  cross_entropy: ['target_tokens', 'weights'],
  importance_sampling: ['target_tokens', 'weights', 'advantages', 'logprobs'],
  ppo: ['target_tokens', 'weights', 'advantages', 'logprobs'],
  cispo: ['target_tokens', 'weights', 'advantages', 'logprobs'],
} as const;

/** @throws WireRefusal `ValidationException` where a datum lacks what its loss needs */
export function checkLossInputs({ lossFnName, datumList }: LossPass): void {
  for (const [index, { lossFnInputs }] of datumList.entries()) {
    const missing = needed[lossFnName].find((name) => lossFnInputs?.[name] === undefined);
    if (missing === undefined) continue;
    throw new WireRefusal(
      'ValidationException',
      `Value at 'datumList.${index}.lossFnInputs' failed to satisfy constraint: ${lossFnName} requires ${missing}`,
    );
  }
}
