import { Semaphore } from '@art/ground';
import {
  type JobCall,
  type JobFault,
  startLocalJobRuntime,
  type JobTrajectory,
} from '@art/server-sagemaker/local';
import { startMockModel } from '@art/mock-model';
import { sagemakerRollouts } from '@art/server-sagemaker';
import { AgentCoreRLApp } from '@art/server';
import OpenAI from 'openai';
import { SeededRandom } from '../../gateway/engine/seeded-random.ts';

export interface LoadOptions {
  rollouts: number;
  concurrency: number;
  /** Share of the calls of the job runtime that go wrong, and of the rollouts that come twice; every kind is as likely. */
  faultRate: number;
  seed: number;
  rolloutTimeoutMs: number;
}

export interface LoadReport {
  rollouts: number;
  /** Completed as ready or failed, and rewarded, by one idempotency token each. */
  completedOnce: number;
  rewardedOnce: number;
  timedOut: number;
  /** Calls after a rollout's time-out. */
  late: number;
  handlerRuns: number;
  /** The reward of a rollout is that of its own handler. */
  wrongRewards: number;
  calls: number;
  faults: Record<string, number>;
  elapsedMs: number;
}

const jobArn = 'arn:aws:sagemaker:us-west-2:123456789012:job/agent-rft/load';
const faultKinds: Record<string, JobFault> = {
  throttled: { kind: 'error', status: 429, headers: { 'retry-after': '1' } },
  failed: { kind: 'error', status: 500 },
  unavailable: { kind: 'error', status: 503 },
  denied: { kind: 'error', status: 403 },
  reset: { kind: 'reset' },
  lost_reply: { kind: 'lose_reply' },
  slow: { kind: 'delay', delayMs: 500 },
};

/** Rollouts through our agent at a job runtime where a share of everything goes wrong. */
export async function runLoad(options: LoadOptions): Promise<LoadReport> {
  const { rollouts, concurrency, faultRate, seed, rolloutTimeoutMs } = options;
  const random = new SeededRandom(seed);
  const faults: Record<string, number> = {};
  const tokens = {
    CompleteRollout: new Map<string, Set<unknown>>(),
    UpdateReward: new Map<string, Set<unknown>>(),
  };
  let calls = 0;
  const denied = new Set<unknown>();
  const fault = ({ operation, headers, body }: JobCall): JobFault | undefined => {
    calls += 1;
    if (operation === 'CompleteRollout' || operation === 'UpdateReward') {
      const { TrajectoryId: id, ClientToken: token } = JSON.parse(body.toString()) as Record<string, string>;
      const seen = tokens[operation].get(id!) ?? new Set();
      tokens[operation].set(id!, seen.add(token));
    }
    if (random.next() >= faultRate) return undefined;
    const kind = random.pick(Object.keys(faultKinds));
    // A model call is signed anew once. A second denial is the agent's to hear, which would fail.
    const rolloutId = headers['x-amzn-sagemaker-trajectory-id'];
    if (kind === 'denied' && operation.startsWith('Sample') && denied.has(rolloutId)) return undefined;
    if (kind === 'denied') denied.add(rolloutId);
    faults[kind] = (faults[kind] ?? 0) + 1;
    return faultKinds[kind];
  };

  await using cleanup = new AsyncDisposableStack();
  const model = await startMockModel();
  cleanup.defer(() => model.close());
  const runtime = await startLocalJobRuntime({ modelUrl: model.baseUrl, fault });
  cleanup.defer(() => runtime.close());
  let handlerRuns = 0;
  const app = new AgentCoreRLApp({
    wires: [
      sagemakerRollouts({
        rolloutTimeoutMs,
        credentials: async () => ({ accessKeyId: 'AKIALOAD', secretAccessKey: 'secret' }),
      }),
    ],
    invocationHandler: {
      process: async (request, { rollout }) => {
        handlerRuns += 1;
        const prompt = (request as { prompt: string }).prompt;
        const client = new OpenAI({ baseURL: rollout!.baseUrl, apiKey: rollout!.apiKey, maxRetries: 10 });
        const messages = [{ role: 'user' as const, content: prompt }];
        for (let turn = 0; turn < 2; turn += 1)
          await client.chat.completions.create({ model: rollout!.modelId!, messages });
        if (fails(Number(prompt))) throw new Error('the tool failed');
        return { reward: rewardOf(Number(prompt)) };
      },
    },
    config: { logging: { level: 'silent' } },
  });
  cleanup.defer(() => app.close());
  const url = await app.listen({ port: 0, host: '127.0.0.1' });

  const startedAt = performance.now();
  const slots = new Semaphore(concurrency);
  const ends = await Promise.all(
    Array.from({ length: rollouts }, (_, index) =>
      slots.run(undefined, async (): Promise<JobTrajectory> => {
        const trajectoryId = `r${index}`;
        const end = runtime.open({ jobArn, trajectoryId }, rolloutTimeoutMs);
        const metadata = { jobArn, rolloutId: trajectoryId, endpoint: runtime.endpoint };
        const body = JSON.stringify({ prompt: String(index), metadata });
        const send = async (): Promise<void> => {
          const headers = { 'content-type': 'application/json' };
          const reply = await fetch(`${url}/invocations`, { method: 'POST', headers, body });
          if (reply.status !== 200)
            throw new Error(`The agent answered ${reply.status}: ${await reply.text()}`);
        };
        await Promise.all([send(), ...(random.next() < faultRate ? [send()] : [])]);
        return end;
      }),
    ),
  );
  const elapsedMs = performance.now() - startedAt;

  const told = (operation: keyof typeof tokens) =>
    [...tokens[operation].values()].filter((seen) => seen.size === 1).length;
  return {
    rollouts,
    completedOnce: Math.min(
      told('CompleteRollout'),
      ends.filter((end) => end.completedAs !== undefined).length,
    ),
    rewardedOnce: Math.min(told('UpdateReward'), ends.filter((end) => end.state === 'rewarded').length),
    timedOut: ends.filter((end) => end.state === 'timed_out').length,
    late: runtime.trajectories().reduce((sum, { lateCalls }) => sum + lateCalls, 0),
    handlerRuns,
    wrongRewards: ends.filter(({ trajectoryId, completedAs, rewards }) => {
      const index = Number(trajectoryId.slice(1));
      return completedAs !== (fails(index) ? 'failed' : 'ready') || rewards?.[0] !== rewardOf(index);
    }).length,
    calls,
    faults,
    elapsedMs,
  };
}

function fails(index: number): boolean {
  return index % 20 === 7;
}

function rewardOf(index: number): number {
  return fails(index) ? 0 : (index % 10) / 10;
}
