import { RolloutClient, type BatchItem } from '@art/client';
import { HttpAgentRuntime, type LocalRuntime } from '@art/local';
import { S3ResultStore } from '@art/store-s3';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { expectAllStopped, pythonAgent, startInteropRuntime } from './interop-runtime.fixture.ts';
import { isPythonMissing, pythonExecutable } from './provided-python.fixture.ts';

let local: LocalRuntime;

describe.skipIf(isPythonMissing)('our RolloutClient on the published Python app', () => {
  beforeAll(async () => {
    local = await startInteropRuntime({ python: pythonAgent(pythonExecutable) });
  });
  afterAll(async () => {
    await local.close();
    vi.unstubAllEnvs();
  });

  it('reads whatever Python writes and stops every session', async () => {
    const nested = { list: [1, [2, { deep: null }]], flag: true, empty: {} };
    const items = await run([
      { do: 'return', value: { rewards: [0, 0.5], text: 'é 日本 😀', nested, huge: 2n ** 70n } },
      { do: 'throw' },
      { do: 'nan' },
      { do: 'infinity' },
      { do: 'list' },
      { do: 'return', value: { status_code: 418, stop_reason: 'teapot', rewards: 1 } },
    ]);
    const [plain, thrown, nan, infinity, list, teapot] = items.map((item) => item.outcome);

    expect(plain).toMatchObject({
      kind: 'ok',
      reward: 0.5,
      document: {
        rewards: [0, 0.5],
        text: 'é 日本 😀',
        nested,
        huge: 2n ** 70n,
        payload: { do: 'return', _rollout: { exp_id: 'ts-run', model_id: 'm' } },
      },
    });
    expect(thrown).toMatchObject({
      kind: 'agent_error',
      error: { message: expect.stringContaining('the tool failed') },
      document: {
        status_code: 500,
        stop_reason: 'the tool failed',
        traceback: expect.stringMatching(
          /^Traceback \(most recent call last\):\n.*RuntimeError: the tool failed\n$/s,
        ),
      },
    });
    // A NaN is no reward of 0, nor any other number that a trainer could learn from.
    expect(nan).toMatchObject({ kind: 'ok', reward: undefined, document: { rewards: [1, Number.NaN] } });
    expect(infinity).toMatchObject({
      kind: 'ok',
      reward: undefined,
      document: { rewards: Number.POSITIVE_INFINITY, lowest: Number.NEGATIVE_INFINITY },
    });
    expect(list).toMatchObject({
      kind: 'agent_error',
      document: { stop_reason: 'Return value must be a dict when S3 save is configured, got list' },
    });
    expect(teapot).toMatchObject({
      kind: 'agent_error',
      document: { status_code: 418, stop_reason: 'teapot' },
    });
    await expectAllStopped(local, items.length);
  });
});

async function run(payloads: Record<string, unknown>[]): Promise<BatchItem[]> {
  const runtime = new HttpAgentRuntime({ endpoint: local.endpoint, agentRuntimeArn: local.arnOf('python') });
  const store = new S3ResultStore();
  await using client = new RolloutClient({
    runtime,
    store,
    bucket: 'results',
    expId: 'ts-run',
    modelId: 'm',
  });
  const items = await Array.fromAsync(
    client.runBatch(payloads, { maxConcurrentSessions: 2, timeoutMs: 100_000 }),
  );
  runtime.close();
  await store.close();
  return items.toSorted((a, b) => a.index - b.index);
}
