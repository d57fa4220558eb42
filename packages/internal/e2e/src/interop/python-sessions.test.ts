import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { LocalRuntime } from '@art/local';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { awsEnvironment } from '../aws/aws-environment.fixture.ts';
import { chatAgent, scriptedAgent, startInteropRuntime } from './interop-runtime.fixture.ts';
import { isPythonMissing, pythonExecutable } from './provided-python.fixture.ts';
import { startPython, type PythonProcess } from './python-process.ts';

interface HostedRollout {
  dump: { reward: number | null; exception: string | null; metrics: object; task_output: object | null };
  records: { token_ids: number[]; loss_mask: number[]; logprobs: number[] }[];
}

const bucket = 'trainer-bucket';
const sessions = 'agentcore_rl_toolkit.rollout_session';
let local: LocalRuntime;
const processes = new Map<string, PythonProcess>();

beforeAll(async () => {
  local = await startInteropRuntime({ scripted: scriptedAgent, chat: chatAgent });
});

afterAll(async () => {
  for (const process of processes.values()) await process[Symbol.asyncDispose]();
  await local?.close();
  vi.unstubAllEnvs();
});

function python(script: string, input: unknown): Promise<unknown> {
  const process =
    processes.get(script) ??
    startPython(pythonExecutable, join(import.meta.dirname, script), awsEnvironment(local.endpoint));
  processes.set(script, process);
  return process.ask(input);
}

/** Runs one rollout and sees that its session was stopped. */
async function runSession(input: { session_id: string; session: object; task: object }): Promise<unknown> {
  const before = local.metrics().endedSessions.stopped;
  const answer = await python('run-session.py', input);
  await vi.waitFor(() => expect(local.metrics().liveSessions).toBe(0));
  expect(local.metrics().endedSessions.stopped).toBe(before + 1);
  return answer;
}

describe.skipIf(isPythonMissing)("the toolkit's rollout sessions on our agent", () => {
  it('AgentCoreS3Session finds what was stored', async () => {
    const session_id = randomUUID();
    const answer = await runSession({
      session_id,
      session: {
        backend: `${sessions}.agentcore_s3_session.AgentCoreS3Session`,
        agentcore_runtime_arn: local.arnOf('scripted'),
        rollout_output_s3: `s3://${bucket}/runs`,
        experiment_name: 'grpo',
      },
      task: {
        payload: { do: 'return', value: { rewards: [0.5], metrics: { turns: 3 } } },
        group_id: 'item-7',
        llm: { base_url: 'http://127.0.0.1:9/v1', model: 'openai/qwen', api_key: session_id },
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
          // The toolkit uses the session id as key; what is stored has no keys.
          payload: {
            _rollout: { model_id: 'qwen', api_key: '[redacted]', base_url: 'http://127.0.0.1:9/v1' },
          },
        },
      },
    });
  });

  const overHttp = (payload: object): Promise<unknown> =>
    runSession({
      session_id: randomUUID(),
      session: {
        backend: `${sessions}.agentcore_http_session.AgentCoreHttpSession`,
        agentcore_runtime_arn: local.arnOf('scripted'),
      },
      task: {
        ...payload,
        _config: { base_url: 'http://127.0.0.1:9/v1', model_id: 'm', api_key: 'key-0123' },
      },
    });

  it.each([
    ['a scalar reward', { reward: 0.25, metrics: { turns: 2 } }, 0.25, { turns: 2 }],
    ['a list of rewards, whose last one counts', { rewards: [1, 0, 0.75] }, 0.75, {}],
  ])('AgentCoreHttpSession reads %s', async (_name, value, reward, metrics) => {
    expect(await overHttp({ do: 'return', value })).toMatchObject({
      successful: true,
      dump: { reward, metrics, exception: null, task_output: value },
    });
  });

  it('AgentCoreHttpSession reports a handler that failed', async () => {
    expect(await overHttp({ do: 'throw' })).toMatchObject({
      successful: false,
      dump: { reward: null, exception: expect.stringMatching(/the tool failed/) as string },
    });
  });

  it.each([
    ['that is no number', { do: 'return', value: { rewards: 'good' } }, { rewards: 'good' }],
    ['that is NaN', { do: 'nan' }, { rewards: [1, null] }],
  ])('AgentCoreHttpSession finds no reward in one %s', async (_name, payload, result) => {
    expect(await overHttp(payload)).toMatchObject({
      successful: false,
      dump: { reward: null, exception: null, task_output: result },
    });
  });
});

describe.skipIf(isPythonMissing)(
  "the toolkit's gateway, hosted by the trainer, in front of our agent",
  () => {
    const end = 256;
    const decode = (ids: number[]): string =>
      Buffer.from(ids.map((id) => (id === end ? 0x7c : id))).toString();
    const payload = { questions: ['How many?', 'And now?'] };

    it('captures each turn under the key of its session', async () => {
      const results = (await python('host-gateway.py', {
        runtime_arn: local.arnOf('chat'),
        rollouts: [
          { history_mode: 'tree', payload },
          { history_mode: 'linear', payload },
        ],
      })) as HostedRollout[];
      for (const { dump, records } of results) {
        expect(dump).toMatchObject({
          exception: null,
          reward: 0.5,
          metrics: { turns: 2 },
          task_output: { rewards: [0, 0.5], answers: ['25 tokens', '59 tokens'], background: true },
        });
        expect(records).toHaveLength(1);
        const [{ token_ids, loss_mask, logprobs }] = records as [HostedRollout['records'][0]];
        expect(decode(token_ids)).toBe(
          'user:How many?|assistant:25 tokens|user:And now?|assistant:59 tokens|',
        );
        // The first prompt is not in the mask; of the rest what was sampled trains.
        const sampled = token_ids.slice(-loss_mask.length).filter((_, index) => loss_mask[index] === 1);
        expect(decode(sampled)).toBe('25 tokens|59 tokens|');
        expect(logprobs.filter((_, index) => loss_mask[index] === 1)).toEqual(sampled.map(() => -0.5));
      }
    });

    it('tells the agent that its context is full, and the trainer gets the error', async () => {
      const [result] = (await python('host-gateway.py', {
        runtime_arn: local.arnOf('chat'),
        rollouts: [{ history_mode: 'tree', payload, max_context_tokens: 50 }],
      })) as [HostedRollout];
      expect(result.dump).toMatchObject({
        reward: null,
        exception: expect.stringMatching(/400 .*context/i) as string,
      });
      expect(result.records.map(({ token_ids }) => decode(token_ids))).toEqual([
        'user:How many?|assistant:25 tokens|',
      ]);
    });
  },
);
