import { expect, it } from 'vitest';
import { capturedContext } from '../captured-context.fixture.ts';
import { runDoctor } from './doctor.ts';
import { exitCodes } from '../exit-codes.ts';

const flags = { agent: [], payload: '{}', train: 'local' as const, json: true };
const findingsOf = (output: string) =>
  Object.fromEntries(
    output
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { id?: string; verdict: string; seen: string })
      .map(({ id = 'summary', verdict, seen }) => [id, { verdict, seen }]),
  );

it('checks the way to training sessions: rights, model, a session, two passes, a sample, the stop', async () => {
  const context = capturedContext();
  expect(await runDoctor({ ...flags, session: true }, context)).toBe(exitCodes.ok);
  const found = findingsOf(context.output());
  expect(Object.keys(found)).toEqual([
    'training.credentials',
    'training.api',
    'training.model',
    'training.session',
    'training.pass',
    'training.sample',
    'training.stop',
    'summary',
  ]);
  expect(found['training.api']).toEqual({ verdict: 'ok', seen: 'no session runs' });
  expect(found['training.pass']).toEqual({
    verdict: 'ok',
    seen: 'twice the rows have twice the gradient: a sum',
  });
  expect(found['training.stop']).toMatchObject({ verdict: 'ok' });
});

it('opens no session, which costs money, without being told to', async () => {
  const context = capturedContext();
  expect(await runDoctor(flags, context)).toBe(exitCodes.ok);
  const found = findingsOf(context.output());
  expect(found['training.model']).toMatchObject({ verdict: 'ok' });
  for (const id of ['session', 'pass', 'sample', 'stop'])
    expect(found[`training.${id}`]).toMatchObject({ verdict: 'skipped' });
});

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
  await expect(runDoctor({ ...sagemaker, train: 'local' }, context)).rejects.toThrow(/--train sagemaker/);
});

it('names what it has to be told', async () => {
  const context = capturedContext();
  await expect(runDoctor({ ...flags, train: undefined }, context)).rejects.toThrow(
    /`agent` to be a file such as agent\.ts, or --train/,
  );
  const sagemaker = { ...flags, train: 'sagemaker' as const, region: 'us-west-2' };
  await expect(runDoctor(sagemaker, context)).rejects.toThrow(/`--base-model`/);
});
