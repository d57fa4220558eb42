import { ArtError } from '@art/ground';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { readRolloutRequest } from './rollout-request.ts';

const jobArn = 'arn:aws:sagemaker:eu-west-1:123456789012:job/agent-rft/j1';
const read = (metadata: unknown, more = {}) =>
  readRolloutRequest({ prompt: 'p', metadata, ...more }, undefined);

beforeEach(() => {
  vi.stubEnv('RFT_RUNTIME_ENDPOINT', undefined);
  vi.stubEnv('AWS_REGION', undefined);
});

it.each([
  [{ jobArn, rolloutId: 'r' }],
  [{ job_arn: jobArn, trajectory_id: 'r' }],
  [{ jobArn, trajectoryId: 'r' }],
  [{ job_arn: '', jobArn, trajectory_id: null, rolloutId: 'r' }],
])('recognises %j', (metadata) => {
  expect(read(metadata)).toMatchObject({
    jobArn,
    rolloutId: 'r',
    region: 'eu-west-1',
    endpoint: 'https://job-runtime.sagemaker.eu-west-1.api.aws',
  });
});

it.each([[undefined], [null], ['x'], [{}], [{ jobArn }], [{ rolloutId: 'r' }]])(
  'is no rollout: %j',
  (metadata) => {
    expect(read(metadata)).toBeUndefined();
  },
);

it('takes sampling parameters under both names, and only numbers', () => {
  const camel = { temperature: 0.7, topP: 0.9, maxTokens: 256, other: 1 };
  const expected = { temperature: 0.7, top_p: 0.9, max_tokens: 256 };
  expect(read({ jobArn, rolloutId: 'r' }, { inferenceParams: camel })?.samplingParams).toEqual(expected);
  expect(read({ jobArn, rolloutId: 'r' }, { inference_params: expected })?.samplingParams).toEqual(expected);
  expect(read({ jobArn, rolloutId: 'r' }, { inferenceParams: { topP: '1' } })?.samplingParams).toEqual({});
});

describe('the endpoint', () => {
  const endpointOf = (endpoint: string) => read({ jobArn, rolloutId: 'r', endpoint })?.endpoint;

  it('is that of the request, of the environment, of the region', () => {
    vi.stubEnv('RFT_RUNTIME_ENDPOINT', 'https://runtime.example/');
    expect(endpointOf('')).toBe('https://runtime.example');
    expect(endpointOf('http://127.0.0.1:9/')).toBe('http://127.0.0.1:9');
    expect(endpointOf('https://runtime.example/base')).toBe('https://runtime.example/base');
    expect(read({ jobArn: 'j', rolloutId: 'r', region: 'ap-south-1' })?.region).toBe('ap-south-1');
    vi.stubEnv('AWS_REGION', 'us-east-2');
    expect(read({ jobArn: 'j', rolloutId: 'r' })?.region).toBe('us-east-2');
  });

  it.each([
    'https://job-runtime.sagemaker.us-west-2.api.aws',
    'https://vpce-1.sagemaker.us-west-2.vpce.amazonaws.com',
    'https://vpce-0a1b-2c3d.runtime.sagemaker.eu-central-1.vpce.amazonaws.com',
    'https://runtime.sagemaker.us-gov-west-1.amazonaws.com',
    'https://api.sagemaker.cn-north-1.amazonaws.com.cn',
    'https://runtime.sagemaker-fips.us-east-1.amazonaws.com',
    'http://localhost:1',
  ])('may be %s', (endpoint) => {
    expect(endpointOf(endpoint)).toBe(endpoint);
  });

  it.each(['evil.example/', 'evil.example#', 'x@evil.example/', 'us-west-2.evil.example', 'US-WEST-2'])(
    'is not made of the region %s',
    (region) => {
      expect(() => read({ jobArn: 'j', rolloutId: 'r', region })).toThrow(/Expected metadata.region/);
      expect(() => read({ jobArn: `arn:aws:sagemaker:${region}:1:job/a`, rolloutId: 'r' })).toThrow(ArtError);
    },
  );

  it.each([
    'https://evil.example',
    'https://bucket.s3.us-west-2.amazonaws.com',
    'https://sagemaker.s3.amazonaws.com',
    'https://runtime.sagemaker.s3.amazonaws.com',
    'https://sagemaker.s3-us-west-2.amazonaws.com',
    'https://abc123.execute-api.us-west-2.amazonaws.com',
    'https://lb-1.us-west-2.elb.amazonaws.com',
    'https://sagemaker.us-west-2.elb.amazonaws.com',
    'https://ec2-1-2-3-4.us-west-2.compute.amazonaws.com',
    'https://abc.lambda-url.us-west-2.on.aws',
    'https://vpce-1.vpce-svc-2.us-west-2.vpce.amazonaws.com',
    'https://evil.sagemaker.us-west-2.amazonaws.com.evil.example',
    'https://sagemaker.us-west-2.amazonaws.com@evil.example',
    'https://bedrock-runtime.us-west-2.amazonaws.com',
    'https://anything.api.aws',
    'https://api.aws.evil.example',
    'http://x.api.aws',
    'file:///etc',
    'nothing',
  ])('gets no key of ours: %s', (endpoint) => {
    expect(() => endpointOf(endpoint)).toThrow(ArtError);
    expect(() => endpointOf(endpoint)).toThrow(/Expected metadata.endpoint/);
  });
});

it.each([[{ jobArn: 'a b', rolloutId: 'r' }], [{ jobArn, rolloutId: 'r\nx' }], [{ jobArn, rolloutId: {} }]])(
  'refuses what no header can hold: %j',
  (metadata) => {
    expect(() => read(metadata)).toThrow(/visible ASCII/);
  },
);
