import { join } from 'node:path';
import type { JobFault } from '@art/server-sagemaker/local';
import { bearerToken, sagemakerRollouts } from '@art/server-sagemaker';
import { AgentCoreRLApp } from '@art/server';
import OpenAI from 'openai';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runPython } from '../interop/run-python.ts';
import { isSageMakerPythonMissing, sagemakerPython } from './provided-sagemaker-python.fixture.ts';
import { jobArn, keys, openRolloutBed } from './rollout-bed.fixture.ts';

const script = (name: string): string => join(import.meta.dirname, name);
const python = (name: string, input: unknown) =>
  runPython({
    executable: sagemakerPython,
    script: script(name),
    input,
    env: { ...keys, AWS_REGION: 'us-west-2' },
  });

interface Scenario {
  sample?: boolean;
  value?: unknown;
  throw?: string;
}

const scenarios: Record<string, Scenario> = {
  'a reward': { sample: true, value: { reward: 0.5 } },
  'a reward of zero': { value: { reward: 0 } },
  'rewards of turns': { sample: true, value: { reward: [0, 0.5, 1] } },
  'no reward': { sample: true, value: { answer: 'x' } },
  'an error that is thrown': { sample: true, throw: 'the tool failed' },
  'an error that is returned': { value: { status: 'error', error: 'no', reward: 1 } },
  'a skipped rollout': { value: { status: 'skipped' } },
  'a text': { sample: true, value: 'text' },
  'a list': { value: [1] },
  nothing: {},
  'a rollout that was completed before': { throw: 'Trajectory t is not in valid status for sampling' },
};
const answers: Record<string, JobFault | undefined> = {
  'all is taken': undefined,
  'the rollout is not found': { kind: 'error', status: 404 },
};

/** An agent in TypeScript that does what a scenario says. */
function agent() {
  const app = new AgentCoreRLApp({
    wires: [
      sagemakerRollouts({
        background: false,
        credentials: async () => ({
          accessKeyId: keys.AWS_ACCESS_KEY_ID,
          secretAccessKey: keys.AWS_SECRET_ACCESS_KEY,
        }),
      }),
    ],
    invocationHandler: {
      process: async (request, { rollout }) => {
        const scenario = JSON.parse((request as { prompt: string }).prompt) as Scenario;
        if (scenario.sample === true) {
          const client = new OpenAI({ baseURL: rollout!.baseUrl, apiKey: rollout!.apiKey, maxRetries: 0 });
          const messages = [{ role: 'user' as const, content: 'hi' }];
          await client.chat.completions.create({ model: rollout!.modelId!, messages });
        }
        if (scenario.throw !== undefined) throw new Error(scenario.throw);
        return scenario.value;
      },
    },
    config: { logging: { level: 'silent' } },
  });
  onTestFinished(() => app.close());
  return app;
}

describe.skipIf(isSageMakerPythonMissing)("AWS's Python packages", () => {
  it.each(Object.entries(answers))('the decorator makes the same calls where %s', async (_name, answer) => {
    const bed = async () =>
      openRolloutBed(({ operation }) => (operation.startsWith('Sample') ? undefined : answer));
    const [theirs, ours] = [await bed(), await bed()];
    const payloadsFor = (endpoint: string) =>
      Object.entries(scenarios).map(([trajectoryId, scenario]) => ({
        prompt: JSON.stringify(scenario),
        metadata: { jobArn, rolloutId: trajectoryId.replaceAll(' ', '-'), endpoint },
        inferenceParams: {},
      }));
    for (const { runtime } of [theirs, ours])
      for (const { metadata } of payloadsFor(''))
        void runtime.open({ jobArn, trajectoryId: metadata.rolloutId }, 100_000);

    await python('decorated-agent.py', payloadsFor(theirs.runtime.endpoint));
    const app = agent();
    for (const payload of payloadsFor(ours.runtime.endpoint))
      await app.inject({ method: 'POST', url: '/invocations', payload });

    for (const { metadata } of payloadsFor('')) {
      const of = ({ calls }: typeof ours) => calls.filter((call) => call.trajectoryId === metadata.rolloutId);
      expect([metadata.rolloutId, of(ours)]).toEqual([metadata.rolloutId, of(theirs)]);
    }
    expect(theirs.calls.length).toBeGreaterThan(15);
    expect(ours.runtime.trajectories().map(({ state, rewards }) => [state, rewards])).toEqual(
      theirs.runtime.trajectories().map(({ state, rewards }) => [state, rewards]),
    );
  });

  it('the decorator gives up where our agent arrives', async () => {
    const failing = () => {
      let left = 2;
      return openRolloutBed(({ operation }) =>
        operation === 'CompleteRollout' && (left -= 1) >= 0 ? { kind: 'error', status: 500 } : undefined,
      );
    };
    const [theirs, ours] = [await failing(), await failing()];
    const payload = (endpoint: string) => ({
      prompt: '{"value":{"reward":1}}',
      metadata: { jobArn, rolloutId: 't', endpoint },
    });
    for (const { runtime } of [theirs, ours]) void runtime.open({ jobArn, trajectoryId: 't' }, 100_000);
    await python('decorated-agent.py', [payload(theirs.runtime.endpoint)]);
    await agent().inject({ method: 'POST', url: '/invocations', payload: payload(ours.runtime.endpoint) });
    expect(theirs.runtime.trajectories()).toMatchObject([{ state: 'open' }]);
    expect(ours.runtime.trajectories()).toMatchObject([{ state: 'rewarded', rewards: [1] }]);
  });

  it("boto3's client drives the job runtime, and knows its errors", async () => {
    const { runtime } = await openRolloutBed();
    void runtime.open({ jobArn, trajectoryId: 't' }, 100_000);
    const body = { model: 'default', messages: [{ role: 'user', content: 'hi' }] };
    const calls: [string, object][] = [
      ['sample', { TrajectoryId: 't', Body: body }],
      ['sample_with_response_stream', { TrajectoryId: 't', Body: { ...body, stream: true } }],
      ['sample', { TrajectoryId: 'unknown', Body: body }],
      ['update_reward', { TrajectoryId: 't', Rewards: [0.5] }],
      ['complete_rollout', { TrajectoryId: 't', Status: 'ready' }],
      ['complete_rollout', { TrajectoryId: 't', Status: 'ready' }],
      ['sample', { TrajectoryId: 't', Body: body }],
      ['update_reward', { TrajectoryId: 't', Rewards: [0.5, 1] }],
      ['update_reward', { TrajectoryId: 't', Rewards: [0.5, 1] }],
    ];
    const outcomes = await python('drive-boto3.py', { endpoint: runtime.endpoint, job_arn: jobArn, calls });
    const conflict = { status: 409, error: 'ConflictException', modeled: true };
    expect(outcomes).toMatchObject([
      { status: 200, body: expect.stringContaining('You said: hi') as string },
      {
        status: 200,
        type: expect.stringContaining('event-stream') as string,
        body: expect.stringMatching(/\[DONE\]\n\n$/) as string,
      },
      {
        status: 404,
        error: 'ResourceNotFoundException',
        modeled: true,
        message: expect.stringContaining('unknown') as string,
      },
      conflict,
      { status: 200 },
      conflict,
      { status: 400, error: 'ValidationException', modeled: true },
      { status: 200 },
      conflict,
    ]);
    expect(runtime.trajectories()).toMatchObject([{ turns: 2, rewards: [0.5, 1] }]);
  });

  it('sagemaker-core makes the same token', async () => {
    const { token } = (await python('make-token.py', {})) as { token: string };
    const url = new URL(
      `https://${Buffer.from(token.slice('sagemaker-api-key-'.length), 'base64').toString()}`,
    );
    const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(
      url.searchParams.get('X-Amz-Date')!,
    )!;
    const ours = await bearerToken({
      credentials: {
        accessKeyId: keys.AWS_ACCESS_KEY_ID,
        secretAccessKey: keys.AWS_SECRET_ACCESS_KEY,
        sessionToken: 'a+/b=c d',
      },
      region: 'us-west-2',
      signingDate: new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`),
    });
    expect(ours).toBe(token);
  });
});
