import { join } from 'node:path';
import { RolloutClient } from '@art/client';
import { HttpAgentRuntime, type LocalRuntime } from '@art/local';
import { S3ResultStore } from '@art/store-s3';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { awsEnvironment } from '../aws/aws-environment.fixture.ts';
import { scriptedAgent, startInteropRuntime } from './interop-runtime.fixture.ts';
import { isPythonMissing, pythonExecutable } from './provided-python.fixture.ts';
import { runPython } from './run-python.ts';

type Reading = { value: unknown } | { raises: string };
interface Readings {
  readings: Record<string, Reading>[];
  advantages: number[];
}

const bucket = 'trainer-bucket';
const is = (value: unknown): Reading => ({ value });
const raises = (name: string): Reading => ({ raises: name });

/**
 * Two conventions live side by side: readers of stored documents (`session`, `rllm`) take the last of `rewards`; those
 * of the newer backends take a scalar `reward`. An agent that returns both serves all of them.
 */
const rollouts: { payload: Record<string, unknown>; readings: Record<string, Reading> }[] = [
  {
    payload: {
      do: 'return',
      value: { rewards: [0, 0.25], reward: 0.25, metrics: { turns: 2, ok: true, note: 'x' } },
    },
    readings: {
      session: is({ reward: 0.25, failure: null, metrics: { turns: 2, ok: 1 } }),
      rllm: is({ finished: true, reward: 0.25 }),
      verl: is(0.25),
      slime: is(0.25),
      tinker: is(0.25),
      sagemaker: is(0.25),
    },
  },
  {
    payload: { do: 'return', value: { rewards: 1, reward: 1 } },
    readings: {
      session: is({ reward: 1, failure: null, metrics: {} }),
      rllm: is({ finished: true, reward: 1 }),
      verl: is(1),
      slime: is(1),
      tinker: is(1),
      sagemaker: is(1),
    },
  },
  {
    payload: { do: 'return', value: { rewards: [] } },
    readings: {
      session: is({ reward: null, failure: 'Rollout reported no reward and no exception', metrics: {} }),
      rllm: is({ finished: true, reward: null }),
      verl: raises('ValueError'),
      slime: is(null),
      tinker: raises('ValueError'),
      sagemaker: is(0),
    },
  },
  {
    payload: { do: 'throw' },
    readings: {
      session: is({
        reward: null,
        failure: 'agent returned status_code=500: the tool failed',
        metrics: {},
      }),
      rllm: is({ finished: false, error: 'the tool failed' }),
      verl: raises('ValueError'),
      slime: is(null),
      tinker: raises('ValueError'),
      sagemaker: is(0),
    },
  },
  {
    // Python would have stored the NaN, and a trainer would have averaged it into its whole group.
    payload: { do: 'nan' },
    readings: {
      session: is({ reward: null, failure: expect.stringMatching(/status_code=500.*NaN/), metrics: {} }),
      rllm: is({ finished: false, error: expect.stringContaining('NaN') }),
      verl: raises('ValueError'),
      slime: is(null),
      tinker: raises('ValueError'),
      sagemaker: is(0),
    },
  },
];

let local: LocalRuntime;

describe.skipIf(isPythonMissing)("the field's trainers on documents of our server", () => {
  beforeAll(async () => {
    local = await startInteropRuntime({ scripted: scriptedAgent }, 2);
  });
  afterAll(async () => {
    await local.close();
    vi.unstubAllEnvs();
  });

  it('read rewards and failures as they should', { timeout: 90_000 }, async () => {
    const keys = await store(rollouts.map(({ payload }) => payload));
    const { readings, advantages } = (await runPython({
      executable: pythonExecutable,
      script: join(import.meta.dirname, 'read-documents.py'),
      env: awsEnvironment(local.endpoint),
      input: { bucket, keys, group: [0, 1] },
    })) as Readings;
    expect(readings).toEqual(rollouts.map((rollout) => rollout.readings));
    expect(advantages).toEqual([-0.375, 0.375]);
  });

  it('run our agent through the session of the verl backend', { timeout: 60_000 }, async () => {
    const before = local.metrics();
    const session_id = 'verl-session-0123456789-0123456789';
    const answer = await runPython({
      executable: pythonExecutable,
      script: join(import.meta.dirname, 'run-session.py'),
      env: awsEnvironment(local.endpoint),
      input: {
        session_id,
        session: {
          agentcore_runtime_arn: local.arnOf('scripted'),
          rollout_output_s3: `s3://${bucket}/runs`,
          experiment_name: 'grpo',
        },
        task: {
          payload: { do: 'return', value: { rewards: [0.5], metrics: { turns: 3 } } },
          group_id: 'item-7',
          llm: { base_url: 'http://127.0.0.1:9/v1', model: 'openai/qwen', api_key: session_id },
        },
      },
    });
    const result_key = `runs/grpo/item-7/${session_id}.json`;
    expect(answer).toMatchObject({
      successful: true,
      result_key,
      dump: {
        reward: 0.5,
        exception: null,
        metrics: { turns: 3 },
        task_output: {
          result_key,
          // The verl backend uses the session id as key; what is stored has no keys.
          payload: {
            _rollout: { model_id: 'qwen', api_key: '[redacted]', base_url: 'http://127.0.0.1:9/v1' },
          },
        },
      },
    });
    await vi.waitFor(() => expect(local.metrics().liveSessions).toBe(0), { timeout: 10_000 });
    expect(local.metrics().endedSessions.stopped).toBe(before.endedSessions.stopped + 1);
  });
});

async function store(payloads: Record<string, unknown>[]): Promise<(string | undefined)[]> {
  const runtime = new HttpAgentRuntime({
    endpoint: local.endpoint,
    agentRuntimeArn: local.arnOf('scripted'),
  });
  const results = new S3ResultStore();
  await using client = new RolloutClient({ runtime, store: results, bucket, expId: 'readers' });
  const items = await Array.fromAsync(
    client.runBatch(payloads, { maxConcurrentSessions: 2, timeoutMs: 60_000 }),
  );
  runtime.close();
  await results.close();
  return items.toSorted((a, b) => a.index - b.index).map((item) => item.resultKey);
}
