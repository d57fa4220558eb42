import { afterEach, expect, it, vi } from 'vitest';
import { createSqsClient, regionOfHost } from './sqs-client.ts';

afterEach(() => vi.unstubAllEnvs());

it.each([
  ['sqs.us-west-2.amazonaws.com', 'us-west-2'],
  ['sqs.cn-north-1.amazonaws.com.cn', 'cn-north-1'],
  ['sqs-fips.us-gov-west-1.amazonaws.com', 'us-gov-west-1'],
  ['sqs.eu-central-1.api.aws', 'eu-central-1'],
  ['vpce-0a1b2c-x.sqs.us-east-2.vpce.amazonaws.com', 'us-east-2'],
  ['eu-west-1.queue.amazonaws.com', 'eu-west-1'],
  ['queue.amazonaws.com', 'us-east-1'],
  ['127.0.0.1', undefined],
  ['sqs.internal.example.com', undefined],
])('the region of %s is %s', (host, region) => {
  expect(regionOfHost(host)).toBe(region);
});

it.each<[env: Record<string, string>, region: string]>([
  [{ AWS_REGION: 'us-east-2', AWS_DEFAULT_REGION: 'eu-west-3' }, 'us-east-2'],
  [{ AWS_DEFAULT_REGION: 'eu-west-3' }, 'eu-west-3'],
])('an URL without a region takes it from %j', async (env, region) => {
  for (const name of ['AWS_REGION', 'AWS_DEFAULT_REGION']) vi.stubEnv(name, env[name]);
  const client = createSqsClient('http://127.0.0.1:9324/000000000000/q');
  expect(await client.config.region()).toBe(region);
  client.destroy();
});

it("a queue's own region and settings of the caller win over the environment", async () => {
  vi.stubEnv('AWS_REGION', 'us-east-2');
  const url = 'https://sqs.us-west-2.amazonaws.com/111122223333/q';
  const client = createSqsClient(url);
  expect(await client.config.region()).toBe('us-west-2');
  client.destroy();
  const other = createSqsClient(url, { region: 'eu-west-1' });
  expect(await other.config.region()).toBe('eu-west-1');
  other.destroy();
});
