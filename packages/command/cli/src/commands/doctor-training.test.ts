import { expect, it } from 'vitest';
import { capturedContext } from '../captured-context.fixture.ts';
import { runDoctor } from './doctor.ts';
import { exitCodes } from '../exit-codes.ts';

const flags = { agent: [], payload: '{}', json: true };
it('prints the rights that training needs, for IAM, and asks nobody', async () => {
  const context = capturedContext();
  const sagemaker = {
    ...flags,
    train: 'sagemaker' as const,
    policies: true as const,
    region: 'us-west-2',
    baseModel: 'arn:aws:sagemaker:us-west-2:aws:hub-content/SageMakerPublicHub/Model/a-model',
    roleArn: 'arn:aws:iam::123456789012:role/train',
    outputS3: 's3://weights/runs',
  };
  expect(await runDoctor(sagemaker, context)).toBe(exitCodes.ok);
  expect(JSON.parse(context.output())).toMatchObject({
    caller: { Version: '2012-10-17' },
    role: { trust: { Statement: [{ Principal: { Service: 'sagemaker.amazonaws.com' } }] } },
  });
  await expect(runDoctor({ ...sagemaker, train: undefined }, context)).rejects.toThrow(/`agent`/);
});

it('names what it has to be told', async () => {
  const context = capturedContext();
  await expect(runDoctor(flags, context)).rejects.toThrow(
    /`agent` to be a file such as agent\.ts, or --train/,
  );
  const sagemaker = { ...flags, train: 'sagemaker' as const, region: 'us-west-2' };
  await expect(runDoctor(sagemaker, context)).rejects.toThrow(/`--base-model`/);
});
