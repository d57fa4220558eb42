import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { RolloutClient } from '@art/client';
import { HttpAgentRuntime, type LocalRuntime, startLocalRuntime } from '@art/local';
import { S3ResultStore } from '@art/store-s3';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';

let local: LocalRuntime;

beforeAll(async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'local');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'local');
  const agent = join(import.meta.dirname, '../reach/reaching-agent.ts');
  local = await startLocalRuntime({
    agents: { calling: { command: [process.execPath, '--conditions=@art/source', agent] } },
    s3: { buckets: ['results'] },
    stopGraceMs: 2_000,
  });
});
afterAll(async () => {
  await local.close();
  vi.unstubAllEnvs();
});

/** An address whose handshake gets no answer, as one behind a network that drops packets. */
async function startBlackHole(): Promise<string> {
  const server = createServer(() => {});
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

function storeAt(endpoint: string): S3ResultStore {
  return new S3ResultStore({ endpoint, region: 'us-west-2' });
}

it.each([
  ['that stays in the session', undefined],
  ['that is stored', 'results'],
])(
  'a run whose result is one %s tells of a model that swallows calls while they wait, once',
  async (_what, bucket) => {
    const baseUrl = await startBlackHole();
    const warning = Promise.withResolvers<string>();
    const warnings: string[] = [];
    const client = new RolloutClient({
      runtime: new HttpAgentRuntime({ endpoint: local.endpoint, agentRuntimeArn: local.arnOf('calling') }),
      ...(bucket !== undefined && { bucket, expId: 'black-hole', store: storeAt(local.endpoint) }),
      baseUrl,
      onWarning: (message) => {
        // A busy machine may have others.
        if (!message.startsWith('The model endpoint')) return;
        warnings.push(message);
        warning.resolve(message);
      },
    });
    onTestFinished(() => client.close());
    const payload = { calls: [[{ path: 'chat/completions', body: {} }]] };
    const rollouts = [await client.invoke(payload), await client.invoke(payload)];
    // Nobody gives up: the calls of these agents wait for as long as their client does.
    expect(await warning.promise).toMatch(
      /^The model endpoint https:.* no connection within 1000 ms\. Three ways/,
    );
    const cancelled = rollouts.map((rollout) => rollout.cancel());
    await Promise.all(cancelled);
    await client.close();
    expect(warnings).toHaveLength(1);
  },
);
