import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLocalTrainingSessions } from '@art/training-stand-in';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runPython } from '../interop/run-python.ts';
import { isSageMakerPythonMissing, sagemakerPython } from '../sagemaker/provided-sagemaker-python.fixture.ts';

const credentials = { accessKeyId: 'local', secretAccessKey: 'local-secret' };
const input = (tokens: number[]) => ({ chunks: [{ tokens, type: 'encoded_text' }] });
const float = (data: number[]) => ({ data, dtype: 'float32', shape: [data.length] });
const datum = {
  modelInput: input([1, 2, 3]),
  lossFnInputs: {
    target_tokens: { data: [2, 3, 4], dtype: 'int64', shape: [3] },
    weights: float([0, 1, 1]),
    logprobs: float([0, -2, -2]),
    advantages: float([0, 1, 1]),
  },
};

describe.skipIf(isSageMakerPythonMissing)("AWS's Python packages", () => {
  it('boto3 and the clients of sagemaker-train drive the training sessions of this machine', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'art-training-sessions-'));
    onTestFinished(() => rm(directory, { recursive: true, force: true }));
    let throttled = false;
    const sessions = await startLocalTrainingSessions({
      directory,
      shape: {
        vocabularySize: 11,
        hiddenSize: 12,
        intermediateSize: 10,
        layers: 1,
        heads: 2,
        headSize: 4,
        maxContext: 32,
        endToken: 10,
      },
      credentials,
      // The SDK waits two seconds after each answer that is not the last.
      pollsUntilDone: 0,
      // The SDK sends it again, with the same number and token.
      fault: ({ operation, session }) => {
        if (throttled || session !== 's2' || operation !== 'ExecuteTrainingOperation') return undefined;
        throttled = true;
        return { kind: 'error', status: 429 };
      },
    });
    onTestFinished(() => sessions.close());
    const seen = await runPython({
      executable: sagemakerPython,
      script: join(import.meta.dirname, 'drive-training-session.py'),
      input: {
        endpoint: sessions.endpoint,
        create: {
          TrainingSessionName: 's1',
          LoraConfig: { Rank: 2, Alpha: 4 },
          RoleArn: 'arn:aws:iam::123456789012:role/train',
          ModelConfig: {
            BaseModelArn: 'arn:aws:sagemaker:us-west-2:aws:hub-content/SageMakerPublicHub/Model/tiny',
          },
          OutputConfig: { S3Location: { Path: 's3://bucket/out' } },
        },
        pass: { lossFnName: 'importance_sampling', datumList: [datum] },
        sample: { prompt: input([1, 2]), numSamples: 2, samplingParams: { maxTokens: 512, seed: 3 } },
      },
      env: {
        AWS_ACCESS_KEY_ID: credentials.accessKeyId,
        AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
        AWS_REGION: 'us-west-2',
      },
    });
    expect(seen).toMatchObject({
      missing: { error: 'ResourceNotFoundException', modeled: true },
      statuses: ['Created', 'Running', 'Running'],
      repeated: true,
      pass: {
        status: 'Completed',
        operationResult: { forwardBackward: { lossFnOutputs: [{ logprobs: { shape: [3] } }] } },
        tokenUsage: { trainingTokens: 3 },
      },
      step: { status: 'Completed' },
      sample: { status: 'Completed', operationResult: { sample: { sequences: [{}, {}] } } },
      refused: { error: 'ValidationException', modeled: true },
      stopped_again: { error: 'ValidationException' },
      sdk_sequences: 2,
    });
    expect(throttled).toBe(true);
    expect(
      sessions.applied.map(({ session, sequenceNumber, kind }) => `${session} ${sequenceNumber} ${kind}`),
    ).toEqual([
      's1 1 forwardBackward',
      's1 2 optimizerStep',
      's1 3 saveWeights',
      's2 1 forwardBackward',
      's2 2 optimizerStep',
      's2 3 saveWeights',
    ]);
  });
});
