import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startLocalRuntime } from '@art/local';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { stubAwsEnvironment } from './aws-environment.fixture.ts';
import { checkClient } from './check-client.ts';

const idle = `require('node:http').createServer((_, response) => response.end('{"status":"Healthy"}')).listen(process.env.PORT)`;

beforeEach(stubAwsEnvironment);

async function localAws(s3: { listBucketAllowed?: boolean } = {}) {
  const local = await startLocalRuntime({
    agents: { idle: { command: ['node', '-e', idle] } },
    s3: { autoCreateBuckets: true, ...s3 },
  });
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
    'client.platform-version': 'skipped',
    'client.clock': 'ok',
    'client.runtime': 'ok',
    'client.bucket': 'ok',
    'client.bucket-list': 'ok',
    'client.bucket-get': 'ok',
    'client.bucket-put': 'ok',
    'client.gateway': 'fault',
    'client.gateway-address': 'skipped',
    'client.gateway-reach': 'skipped',
  });
  const list = await fetch(`${local.endpoint}/results?list-type=2`);
  expect(await list.text()).not.toContain('<Key>');
});

it.each<[string, () => Promise<object>, object]>([
  [
    'V2',
    async () => ({ platformVersion: 'V2' }),
    { verdict: 'ok', seen: /V2: .*one snapshot.*art doctor agent/ },
  ],
  ['V1', async () => ({ platformVersion: 'V1' }), { verdict: 'ok', seen: /^V1$/ }],
  ['no version', async () => ({}), { verdict: 'skipped', seen: /^Not observed/ }],
  [
    'a refusal',
    async () => Promise.reject(new Error('not authorized')),
    { verdict: 'skipped', seen: /Not observed: not authorized/ },
  ],
])('tells the platform version where the control plane answers %s', async (_name, getRuntime, expected) => {
  const local = await localAws();
  const asked: string[] = [];
  const found = await checkClient({
    agentRuntimeArn: local.arnOf('idle'),
    getRuntime: async (id) => {
      asked.push(id);
      return (await getRuntime()) as Record<string, unknown>;
    },
  });
  expect(asked).toEqual(['idle-local00000']);
  const { verdict, seen } = expected as { verdict: string; seen: RegExp };
  expect(found.find(({ id }) => id === 'client.platform-version')).toMatchObject({
    verdict,
    seen: expect.stringMatching(seen) as string,
  });
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

it('tells a bucket that does not exist from a right that is missing', async () => {
  const local = await localAws();
  const empty = createServer((_request, response) =>
    response.writeHead(404).end('<Error><Code>NoSuchBucket</Code></Error>'),
  );
  await new Promise<void>((resolve) => void empty.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void empty.close());
  vi.stubEnv('AWS_ENDPOINT_URL_S3', `http://127.0.0.1:${(empty.address() as AddressInfo).port}`);
  const findings = await checkClient({ agentRuntimeArn: local.arnOf('idle'), bucket: 'nowhere-to-be-found' });
  expect(findings.filter(({ verdict }) => verdict === 'fault' || verdict === 'warning')).toMatchObject([
    { id: 'client.bucket', seen: '404: there is no bucket nowhere-to-be-found' },
  ]);
});

it('ends when it is told to, whatever it waits for', async () => {
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => void silent.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    silent.close();
    silent.closeAllConnections();
  });
  vi.stubEnv('AWS_ENDPOINT_URL', `http://127.0.0.1:${(silent.address() as AddressInfo).port}`);
  const ending = new AbortController();
  silent.once('request', () => ending.abort(new Error('enough')));
  const agentRuntimeArn = 'arn:aws:bedrock-agentcore:us-west-2:123456789012:runtime/idle-a1b2c3d4e5';
  await expect(checkClient({ agentRuntimeArn, signal: ending.signal })).rejects.toThrow('enough');
});

it('refuses what is no ARN before anything is asked', async () => {
  await expect(checkClient({ agentRuntimeArn: 'my-agent' })).rejects.toMatchObject({
    code: 'ART_INVALID_ARN',
  });
});
