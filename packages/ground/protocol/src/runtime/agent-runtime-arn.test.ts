import { expect, it } from 'vitest';
import { parseAgentRuntimeArn } from './agent-runtime-arn.ts';

it.each([
  [
    'arn:aws:bedrock-agentcore:us-west-2:123456789012:runtime/my_agent-abc123',
    'aws',
    'us-west-2',
    'my_agent-abc123',
  ],
  [
    'arn:aws-us-gov:bedrock-agentcore:us-gov-west-1:123456789012:runtime/a',
    'aws-us-gov',
    'us-gov-west-1',
    'a',
  ],
])('parses %s', (arn, partition, region, runtimeId) => {
  expect(parseAgentRuntimeArn(arn)).toEqual({ arn, partition, region, accountId: '123456789012', runtimeId });
});

it.each([
  ['', /start with "arn:"/],
  ['arn:aws:bedrock-agentcore:us-west-2', /4 parts/],
  ['arn:gcp:bedrock-agentcore:us-west-2:123456789012:runtime/a', /partition/],
  ['arn:aws:s3:us-west-2:123456789012:runtime/a', /service is "s3"/],
  ['arn:aws:bedrock-agentcore::123456789012:runtime/a', /region ""/],
  ['arn:aws:bedrock-agentcore:us-west:123456789012:runtime/a', /region "us-west"/],
  ['arn:aws:bedrock-agentcore:us-west-2:12345:runtime/a', /account "12345"/],
  ['arn:aws:bedrock-agentcore:us-west-2:123456789012:memory/a', /resource/],
  ['arn:aws:bedrock-agentcore:us-west-2:123456789012:runtime/a/runtime-endpoint/x', /resource/],
])('refuses %j and says why', (arn, why) => {
  expect(() => parseAgentRuntimeArn(arn)).toThrowError(why);
  expect(() => parseAgentRuntimeArn(arn)).toThrowError(
    expect.objectContaining({ code: 'ART_INVALID_ARN' }) as Error,
  );
});
