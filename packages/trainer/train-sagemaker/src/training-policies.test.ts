import { expect, it } from 'vitest';
import { trainingPolicies } from './training-policies.ts';

const options = {
  region: 'us-west-2',
  roleArn: 'arn:aws:iam::123456789012:role/train',
  baseModelArn: 'arn:aws:sagemaker:us-west-2:aws:hub-content/SageMakerPublicHub/Model/a-model/1.0.0',
  outputS3: 's3://weights/runs/',
};

it('gives the caller its own sessions, the base model and its role, and nothing else', () => {
  const { caller } = trainingPolicies(options);
  expect(caller.Statement.map(({ Sid, Resource }) => [Sid, Resource])).toEqual([
    ['OwnSessions', 'arn:aws:sagemaker:us-west-2:123456789012:training-session/art-*'],
    ['SeeWhatRuns', '*'],
    ['ReadBaseModel', [options.baseModelArn, 'arn:aws:sagemaker:us-west-2:aws:hub/SageMakerPublicHub']],
    ['DeleteVersions', 'arn:aws:sagemaker:us-west-2:123456789012:model-package/sagemaker-default/*'],
    ['GiveTheRole', options.roleArn],
  ]);
  const any = caller.Statement.find(({ Resource }) => Resource === '*');
  expect(any?.Action).toEqual(['sagemaker:ListTrainingSessions']);
  expect(caller.Statement.at(-1)?.Condition).toEqual({
    StringEquals: { 'iam:PassedToService': 'sagemaker.amazonaws.com' },
  });
});

it('gives the role its place for weights, and keys and tags only where they are named', () => {
  const plain = trainingPolicies(options);
  expect(plain.role.policy.Statement.map(({ Resource }) => Resource)).toEqual([
    'arn:aws:s3:::weights/runs/*',
    'arn:aws:s3:::weights',
  ]);
  expect(JSON.stringify(plain)).not.toMatch(/kms:|AddTags/);
  const kmsKeyArn = 'arn:aws:kms:us-west-2:123456789012:key/a';
  const more = trainingPolicies({ ...options, kmsKeyArn, tags: { team: 'rl' } });
  expect(more.role.policy.Statement.at(-1)).toMatchObject({ Resource: kmsKeyArn });
  expect(more.caller.Statement[0]?.Action).toContain('sagemaker:AddTags');
});

it.each(['https://weights.s3.us-west-2.amazonaws.com', 's3://weights'])(
  'reads the bucket of %s',
  (outputS3) => {
    const { Statement } = trainingPolicies({ ...options, outputS3 }).role.policy;
    expect(Statement[0]?.Resource).toBe('arn:aws:s3:::weights/*');
  },
);
