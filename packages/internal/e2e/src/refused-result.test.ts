import { join } from 'node:path';
import { RolloutClient, type RolloutOutcome } from '@art/client';
import { startLocalRuntime } from '@art/local';
import { FaultInjection, type FaultRule } from '@art/local/faults';
import { parseJson } from '@art/ground';
import { S3ResultStore } from '@art/store-s3';
import { expect, it, onTestFinished } from 'vitest';

const agent = join(import.meta.dirname, 'agents', 'scripted-agent.ts');
const environment = { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local', AWS_REGION: 'us-west-2' };

/** Runs one rollout whose agent's store does as the rule says; its time limit is ten minutes. */
async function rollout(rule: Omit<FaultRule, 'when'>): Promise<{ outcome: RolloutOutcome; says: unknown }> {
  const local = await startLocalRuntime({
    agents: {
      scripted: { command: [process.execPath, '--conditions=@art/source', agent], env: environment },
    },
    faults: new FaultInjection({ seed: 1, rules: [{ when: { operation: 's3_put' }, ...rule }] }),
    s3: { buckets: ['results'] },
  });
  onTestFinished(() => local.close());
  const runtime = local.runtime('scripted');
  let says: unknown;
  await using client = new RolloutClient({
    runtime: {
      isLocal: true,
      invoke: async (request, options) => {
        const answer = await runtime.invoke(request, options);
        says = parseJson(answer.body);
        return answer;
      },
      stop: (sessionId, options) => runtime.stop(sessionId, options),
    },
    store: new S3ResultStore({
      endpoint: local.endpoint,
      region: 'us-west-2',
      clientConfig: { credentials: { accessKeyId: 'local', secretAccessKey: 'local' } },
    }),
    bucket: 'results',
    expId: 'refused',
  });
  const batch = client.runBatch([{ do: 'reward' }], {
    timeoutMs: 600_000,
    maxConcurrentSessions: 1,
    retry: { infra_error: 0 },
  });
  const [item] = await Array.fromAsync(batch);
  return { outcome: item!.outcome, says };
}

it('a result that the store refuses is a failure of the infrastructure as soon as the session is asked', async () => {
  const { outcome, says } = await rollout({ fault: { kind: 'error', status: 403 } });
  expect(says).toMatchObject({
    status: 'in_progress',
    unsaved: expect.stringMatching(/could not be stored/),
  });
  expect(outcome).toMatchObject({
    kind: 'infra_error',
    error: {
      code: 'ART_STORE_FAILED',
      message: expect.stringMatching(/bucket "results".*403.*role/s) as string,
    },
  });
});

it('so is one in whose place the store takes a document that says so', async () => {
  const { outcome } = await rollout({ fault: { kind: 'error', status: 403 }, nth: [1] });
  expect(outcome).toMatchObject({
    kind: 'infra_error',
    document: { status_code: 503, message: expect.stringMatching(/could not be stored/) as string },
  });
});
