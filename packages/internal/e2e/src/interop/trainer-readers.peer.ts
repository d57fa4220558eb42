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
type Readings = Record<string, Reading>;

const bucket = 'trainer-bucket';
const is = (value: unknown): Reading => ({ value });
const refused: Reading = { raises: 'ValueError' };
const unscored = is({ reward: null, failure: 'Rollout reported no reward and no exception', metrics: {} });

/** Readers of stored documents take the last of `rewards`; those of RIP's results take a scalar `reward`. */
const rollouts: { payload: Record<string, unknown>; stored: Readings; answered: object }[] = [
  {
    payload: { do: 'return', value: { rewards: [0, 0.25], metrics: { turns: 2 } } },
    stored: {
      session: is({ reward: 0.25, failure: null, metrics: { turns: 2 } }),
      rllm: is({ finished: true, reward: 0.25 }),
    },
    answered: {
      session: is({ reward: 0.25, failure: null, metrics: { turns: 2 } }),
      verl: is(0.25),
      slime: is(0.25),
      tinker: is(0.25),
      sagemaker: is(0.25),
    },
  },
  {
    payload: { do: 'return', value: { reward: 1 } },
    stored: {
      session: is({ reward: 1, failure: null, metrics: {} }),
      rllm: is({ finished: true, reward: 1 }),
    },
    answered: {
      session: is({ reward: 1, failure: null, metrics: {} }),
      verl: is(1),
      slime: is(1),
      tinker: is(1),
      sagemaker: is(1),
    },
  },
  {
    // slime scores such a rollout itself; the others refuse it.
    payload: { do: 'return', value: { text: 'no reward' } },
    stored: {
      session: unscored,
      rllm: is({ finished: true, reward: null }),
    },
    answered: { session: unscored, verl: refused, slime: is(null), tinker: refused, sagemaker: is(0) },
  },
  // A reward that is no number is delivered as it was returned, and nobody takes it for 0: the trainers stop, or score the
  // rollout themselves. (SageMaker's backend, which is experimental, counts 0 for whatever has no number.)
  {
    payload: { do: 'return', value: { rewards: [] } },
    stored: { session: unscored, rllm: is({ finished: true, reward: null }) },
    answered: { session: unscored, verl: refused, slime: is(null), tinker: refused, sagemaker: is(0) },
  },
  {
    payload: { do: 'return', value: { reward: 'good' } },
    stored: { session: unscored, rllm: is({ finished: true, reward: null }) },
    answered: {
      session: { raises: 'ValidationError' },
      verl: refused,
      slime: refused,
      tinker: refused,
      sagemaker: is(0),
    },
  },
  {
    payload: { do: 'nan' },
    stored: { session: { raises: 'RolloutContractError' }, rllm: is({ finished: true, reward: null }) },
    answered: { session: unscored, verl: refused, slime: is(null), tinker: refused, sagemaker: is(0) },
  },
  {
    payload: { do: 'throw' },
    stored: {
      session: is({
        reward: null,
        failure: expect.stringMatching(/status_code=500.*the tool failed/) as string,
        metrics: {},
      }),
      rllm: is({ finished: false, error: expect.stringMatching(/the tool failed/) as string }),
    },
    answered: { error: expect.stringMatching(/the tool failed/) as string },
  },
];

let local: LocalRuntime;

describe.skipIf(isPythonMissing)("the field's trainers on rollouts of our server", () => {
  beforeAll(async () => {
    local = await startInteropRuntime({ scripted: scriptedAgent });
  });
  afterAll(async () => {
    await local.close();
    vi.unstubAllEnvs();
  });

  it('read rewards and failures as they should', { timeout: 90_000 }, async () => {
    const payloads = rollouts.map(({ payload }) => payload);
    const keys = await store(payloads);
    const readings = await runPython({
      executable: pythonExecutable,
      script: join(import.meta.dirname, 'read-rollouts.py'),
      env: awsEnvironment(local.endpoint),
      input: { bucket, keys, runtime_arn: local.arnOf('scripted'), payloads, group: [0, 1] },
    });
    expect(readings).toEqual({
      stored: rollouts.map(({ stored }) => stored),
      answered: rollouts.map(({ answered }) => answered),
      advantages: [-0.375, 0.375],
    });
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
