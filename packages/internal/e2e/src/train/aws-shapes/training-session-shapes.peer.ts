import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LocalTrainingSessions, startLocalTrainingSessions } from '@art/training-stand-in';
import type { AdamParams, Loss, StepRow } from '@art/train/steps';
import { sagemakerAccount, sagemakerTraining } from '@art/train-sagemaker';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  isSageMakerPythonMissing,
  sagemakerPython,
} from '../../sagemaker/provided-sagemaker-python.fixture.ts';
import { echoShape, keys } from '../played-training.ts';
import { type RecordedCall, recordCalls } from './recorded-calls.ts';
import { serviceModel, type ServiceModel } from './service-model.ts';
import { shapeProblems } from './shape-problems.ts';

afterEach(() => void vi.restoreAllMocks());

const baseModelArn = 'arn:aws:sagemaker:us-west-2:aws:hub-content/SageMakerPublicHub/Model/tiny';
const place = { region: 'us-west-2', credentials: () => Promise.resolve(keys) };
const adam: AdamParams = {
  learningRate: 1e-3,
  beta1: 0.9,
  beta2: 0.95,
  eps: 1e-8,
  weightDecay: 0,
  gradClipNorm: 1,
};
const row: StepRow = {
  tokens: [1, 2, 3],
  targets: [2, 3, 4],
  weights: [0, 1, 1],
  logprobs: [0, -2, -2],
  advantages: [0, 1, -1],
};
const losses: Loss[] = [
  { name: 'cross_entropy' },
  { name: 'importance_sampling' },
  { name: 'ppo', clipLow: 0.8, clipHigh: 1.2 },
  { name: 'cispo', clipLow: 0.8, clipHigh: 1.28 },
];

/** Everything that the driver can do, against the training sessions of this machine. */
async function driveAll({ endpoint }: LocalTrainingSessions): Promise<void> {
  const service = sagemakerTraining({
    ...place,
    endpoint,
    runtimeEndpoint: endpoint,
    baseModelArn,
    roleArn: 'arn:aws:iam::123456789012:role/train',
    outputS3: 's3://bucket/out',
    acceptEula: true,
    modelPackageGroupArn: 'arn:aws:sagemaker:us-west-2:123456789012:model-package-group/group',
    kmsKeyArn: 'arn:aws:kms:us-west-2:123456789012:key/0f9c1d2e-3b4a-5c6d-7e8f-90a1b2c3d4e5',
    vpcConfig: { SecurityGroupIds: ['sg-1'], Subnets: ['subnet-1'] },
    tags: { team: 'agents' },
    pollMs: 1,
    onNotice: () => undefined,
  });
  const account = sagemakerAccount({ ...place, endpoint });
  await account.baseModel(baseModelArn);
  const open = (name: string) => service.open({ name, note: () => Promise.resolve() });
  const first = await open('shapes-1');
  for (const loss of losses) await first.forwardBackward([row, row], loss).result();
  await first.optimStep(adam).result();
  const saves = [1, 2, 3, 4].map((step) => first.saveForSampling(`step-${step}`, { keep: false }));
  const weights = (await Promise.all(saves.map((save) => save.result()))).at(-1)!;
  const request = {
    prompt: [6, 1, 7],
    samples: 2,
    maxTokens: 512,
    temperature: 1,
    topP: 0.9,
    topK: 5,
    seed: 3,
    weights,
  };
  await first.sample(request);
  await first.logprobs([6, 1, 7], weights);
  const state = await first.saveState('step-2').result();
  await account.runningSessions();
  await first.stop();
  await service.stop({ service: 'sagemaker', name: 'shapes-1', place: {} });
  await service.stop({ service: 'sagemaker', name: 'shapes-none', place: {} });
  const second = await open('shapes-2');
  await second.loadState(state, { optimizer: true }).result();
  // The service accepts it, and fails it then.
  await expect(second.forwardBackward([{ ...row, tokens: [1] }], losses[1]!).result()).rejects.toMatchObject({
    code: 'ART_SAGEMAKER_OPERATION_FAILED',
  });
  await second.stop();
}

/** The members of unions that were sent and answered, of which the model has more than one. */
function membersOf(calls: readonly RecordedCall[], name: 'operationConfig' | 'operationResult'): string[] {
  const objects = calls.flatMap(({ body, answer }) => [body, answer]) as (
    | Record<string, object>
    | undefined
  )[];
  return [...new Set(objects.flatMap((object) => Object.keys(object?.[name] ?? {})))].toSorted();
}

function callProblems(
  { operation, body, status, errorType, answer }: RecordedCall,
  models: readonly ServiceModel[],
): string[] {
  const model = models.find(({ operations }) => operations[operation] !== undefined);
  if (model === undefined) return [`${operation} is no operation`];
  const { input, output, errors = [] } = model.operations[operation]!;
  const sent = body === undefined ? [] : shapeProblems(model, input!.shape, body);
  if (status !== 200) {
    const isKnown = errorType === 'ValidationException' || errors.some(({ shape }) => shape === errorType);
    return isKnown ? sent : [...sent, `${operation} has no error ${errorType}`];
  }
  const got = output === undefined ? [] : shapeProblems(model, output.shape, answer ?? {});
  // The model knows no null; AWS's own SDK takes the first logprob of a prompt for one.
  return [...sent, ...got.filter((problem) => !problem.endsWith('ogprobs[0]: expected double, got null'))];
}

describe.skipIf(isSageMakerPythonMissing)("the service models of AWS's own SDK", () => {
  it('have every request of our driver, and every answer of the training sessions of this machine', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'art-shapes-'));
    const sessions = await startLocalTrainingSessions({
      directory,
      shape: echoShape,
      credentials: keys,
      describesUntilRunning: 0,
    });
    onTestFinished(async () => {
      await sessions.close();
      await rm(directory, { recursive: true, force: true });
    });
    const calls = recordCalls();
    await driveAll(sessions);
    const models = ['sagemaker', 'sagemakertrainingsessionruntime'].map((name) =>
      serviceModel(sagemakerPython, name),
    );
    expect(calls.flatMap((call) => callProblems(call, models))).toEqual([]);
    expect([...new Set(calls.map(({ operation }) => operation))].toSorted()).toEqual([
      'CreateTrainingSession',
      'DeleteModelPackage',
      'DescribeHubContent',
      'DescribeTrainingSession',
      'ExecuteSamplingOperation',
      'ExecuteTrainingOperation',
      'GetSamplingOperationResult',
      'GetTrainingOperationResult',
      'ListTrainingSessions',
      'StopTrainingSession',
    ]);
    const both = [
      'computeLogprobs',
      'forwardBackward',
      'loadState',
      'loadWeightsForSampling',
      'optimizerStep',
      'sample',
      'saveState',
      'saveWeights',
    ];
    expect(membersOf(calls, 'operationConfig')).toEqual(both);
    expect(membersOf(calls, 'operationResult')).toEqual(both);
  });

  it.each([
    [
      'an unknown member',
      { sequenceNumber: 1, operationConfig: { saveState: { name: 'x' } } },
      /saveState\.name: unknown/,
    ],
    [
      'two members of a union',
      { sequenceNumber: 1, operationConfig: { saveState: {}, saveWeights: {} } },
      /2 members/,
    ],
    ['a bound', { sequenceNumber: 0, operationConfig: { saveState: {} } }, /0 is less than 1/],
    [
      'a missing member',
      { operationConfig: { optimizerStep: { adamParamsConfig: { learningRate: 1e-3 } } } },
      /sequenceNumber: missing/,
    ],
    ['a type', { sequenceNumber: '1', operationConfig: { saveState: {} } }, /expected long|expected integer/],
  ])('would tell %s', (_name, body, problem) => {
    const model = serviceModel(sagemakerPython, 'sagemakertrainingsessionruntime');
    const input = model.operations['ExecuteTrainingOperation']!.input!.shape;
    expect(shapeProblems(model, input, body).join()).toMatch(problem);
  });
});
