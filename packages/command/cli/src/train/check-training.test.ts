import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLocalTrainingSessions } from '@art/training-stand-in';
import { sagemakerAccount, sagemakerTraining } from '@art/train-sagemaker';
import { expect, it, onTestFinished } from 'vitest';
import { checkTraining, type CheckTrainingOptions } from './check-training.ts';

/** The check of a service of this machine that speaks SageMaker's wire. */
async function standIn(withSession: boolean): Promise<CheckTrainingOptions> {
  const directory = await mkdtemp(join(tmpdir(), 'art-check-training-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 10 }));
  const sessions = await startLocalTrainingSessions({
    directory,
    shape: {
      vocabularySize: 11,
      hiddenSize: 12,
      intermediateSize: 10,
      layers: 1,
      heads: 2,
      headSize: 4,
      maxContext: 1_024,
      endToken: 10,
    },
    describesUntilRunning: 0,
  });
  onTestFinished(() => sessions.close());
  const baseModelArn = 'arn:aws:sagemaker:us-west-2:aws:hub-content/SageMakerPublicHub/Model/tiny';
  const place = {
    region: 'us-west-2',
    endpoint: sessions.endpoint,
    credentials: () => Promise.resolve({ accessKeyId: 'local', secretAccessKey: 'local-secret' }),
  };
  const service = sagemakerTraining({
    ...place,
    runtimeEndpoint: sessions.endpoint,
    roleArn: 'arn:aws:iam::123456789012:role/train',
    outputS3: 's3://bucket/out',
    baseModelArn,
    pollMs: 5,
  });
  return { account: sagemakerAccount(place), service, region: 'us-west-2', baseModelArn, withSession };
}

it('checks the way to training sessions: rights, model, a session, two passes, a sample, the stop', async () => {
  const found = await checkTraining(await standIn(true));
  expect(found.map(({ id, verdict }) => [id, verdict])).toEqual(
    ['credentials', 'api', 'model', 'session', 'pass', 'sample', 'stop'].map((id) => [
      `training.${id}`,
      'ok',
    ]),
  );
  expect(found[1]!.seen).toBe('no session runs');
  expect(found[4]!.seen).toBe('twice the rows have twice the gradient: a sum');
});

it('opens no session, which costs money, unless it is asked to', async () => {
  const found = await checkTraining(await standIn(false));
  expect(found.slice(2).map(({ verdict }) => verdict)).toEqual([
    'ok',
    'skipped',
    'skipped',
    'skipped',
    'skipped',
  ]);
});
