import { startLocalRuntime } from '@art/local';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { checkClient } from './check-client.ts';

const idle = `require('node:http').createServer((_, response) => response.end('{"status":"Healthy"}')).listen(process.env.PORT)`;

beforeEach(() => {
  for (const name of ['AWS_PROFILE', 'AWS_ENDPOINT_URL_S3', 'AWS_DEFAULT_REGION'])
    vi.stubEnv(name, undefined);
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'key');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  vi.stubEnv('AWS_REGION', 'us-west-2');
  return () => vi.unstubAllEnvs();
});

async function localAws(s3: { listBucketAllowed?: boolean } = {}) {
  const local = await startLocalRuntime({ agents: { idle: { command: ['node', '-e', idle] } }, s3 });
  onTestFinished(() => local.close());
  vi.stubEnv('AWS_ENDPOINT_URL', local.endpoint);
  return local;
}

async function verdicts(options: Parameters<typeof checkClient>[0]): Promise<Record<string, string>> {
  return Object.fromEntries((await checkClient(options)).map(({ id, verdict }) => [id, verdict]));
}

it('finds nothing wrong where everything is there, and leaves nothing behind', async () => {
  const local = await localAws();
  const agentRuntimeArn = local.arnOf('idle');
  expect(
    await verdicts({ agentRuntimeArn, bucket: 'results', gatewayUrl: `${local.endpoint}/no-gateway` }),
  ).toEqual({
    'client.credentials': 'ok',
    'client.region': 'ok',
    'client.clock': 'ok',
    'client.runtime': 'ok',
    'client.bucket-list': 'ok',
    'client.bucket-get': 'ok',
    'client.bucket-put': 'ok',
    'client.gateway': 'fault',
  });
  const list = await fetch(`${local.endpoint}/results?list-type=2`);
  expect(await list.text()).not.toContain('<Key>');
});

it('sees an agent that is not there, a region that is another one, and rights that are missing', async () => {
  const local = await localAws({ listBucketAllowed: false });
  vi.stubEnv('AWS_REGION', 'eu-central-1');
  const agentRuntimeArn = `${local.arnOf('idle').replace(/[^/]+$/, '')}another-a1b2c3d4e5`;
  expect(await verdicts({ agentRuntimeArn, bucket: 'results' })).toMatchObject({
    'client.region': 'warning',
    'client.runtime': 'fault',
    'client.bucket-list': 'warning',
    'client.bucket-get': 'warning',
    'client.gateway': 'skipped',
  });
});

it('refuses what is no ARN before anything is asked', async () => {
  await expect(checkClient({ agentRuntimeArn: 'my-agent' })).rejects.toMatchObject({
    code: 'ART_INVALID_ARN',
  });
});
