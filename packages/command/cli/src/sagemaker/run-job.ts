import { randomUUID } from 'node:crypto';
import { callWithin, pause, Semaphore, describeThrown } from '@art/ground';
import { type AgentRuntime } from '@art/protocol';
import type { JobEvent, JobRolloutEvent } from './job-event.ts';
import type { OpenJob } from './open-job.ts';

/** After an answer that is no promise of one; AWS's decorator tells before it answers. */
const graceMs = 2_000;

export interface RunJobOptions {
  region: string;
  /** Rollouts at a time. @default 32 */
  concurrency?: number | undefined;
  /** As the job will have it. @default 600_000 */
  rolloutTimeoutMs?: number | undefined;
  /** @default 1 */
  rolloutsPerPrompt?: number | undefined;
}

/**
 * Sends every prompt to the agent as SageMaker's trainer would, each in its own session, and tells what came of it.
 * @returns whether a real job would have gone on: each rollout sampled, was completed as ready and got its reward
 */
export async function runJob(
  job: OpenJob,
  agent: AgentRuntime,
  { region, concurrency = 32, rolloutTimeoutMs = 600_000, rolloutsPerPrompt = 1 }: RunJobOptions,
  emit: (event: JobRolloutEvent | JobEvent) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const jobArn = `arn:aws:sagemaker:${region}:123456789012:job/AgentRFT/art-dev`;
  const slots = new Semaphore(concurrency);
  const inputs = job.prompts.flatMap((prompt) => Array<unknown>(rolloutsPerPrompt).fill(prompt));
  const seen: JobRolloutEvent[] = [];

  /** An app that does not know the request answers it as any other, and there will be no reward. */
  async function untold(answer: string, rolloutId: string): Promise<string> {
    if (!/"status"\s*:\s*"processing"/.test(answer)) {
      await pause(graceMs, { signal });
      const known = job.runtime.trajectories().find(({ trajectoryId }) => trajectoryId === rolloutId);
      if (known?.state === 'open' && known.turns === 0)
        return `it answered ${answer.slice(0, 100)} and told nothing of the rollout; is sagemakerRollouts() among the wires of the app?`;
    }
    return new Promise<never>(() => undefined);
  }

  async function run(prompt: unknown, index: number): Promise<void> {
    const sessionId = randomUUID();
    const rolloutId = randomUUID();
    const startedAt = performance.now();
    const end = job.runtime.open({ jobArn, trajectoryId: rolloutId }, rolloutTimeoutMs);
    const metadata = { jobArn, rolloutId, region, endpoint: job.runtime.endpoint };
    const inferenceParams = { temperature: 1, topP: 1, maxTokens: 2_048 };
    const body = JSON.stringify({ prompt, metadata, inferenceParams });
    const refused = agent.invoke({ sessionId, body }, { signal }).then(
      (answer) => untold(answer.body, rolloutId),
      (error: unknown) => describeThrown(error).message,
    );
    const came = await callWithin(() => Promise.race([end, refused]), { signal });
    await agent.stop(sessionId).catch(() => undefined);
    const rollout: JobRolloutEvent = {
      event: 'rollout',
      index,
      of: inputs.length,
      sessionId,
      prompt,
      durationMs: Math.round(performance.now() - startedAt),
      ...(typeof came === 'string'
        ? { state: 'refused', turns: 0, problem: came }
        : {
            state: came.state === 'rewarded' ? (came.completedAs ?? 'ready') : 'timed_out',
            turns: came.turns,
            rewards: came.rewards,
          }),
    };
    seen.push(rollout);
    emit(rollout);
  }

  await Promise.all(inputs.map((prompt, index) => slots.run(signal, () => run(prompt, index))));
  const summary = summarise(seen);
  emit(summary);
  return summary.ready === summary.rollouts && summary.unsampled === 0;
}

function summarise(seen: readonly JobRolloutEvent[]): JobEvent {
  const count = (fits: (rollout: JobRolloutEvent) => boolean): number => seen.filter(fits).length;
  // What a job makes of several rewards is not documented; the last is that of the whole rollout elsewhere.
  const rewards = seen.flatMap((rollout) => rollout.rewards?.at(-1) ?? []);
  return {
    event: 'job',
    rollouts: seen.length,
    ready: count(({ state }) => state === 'ready'),
    failed: count(({ state }) => state === 'failed'),
    timedOut: count(({ state }) => state === 'timed_out'),
    refused: count(({ state }) => state === 'refused'),
    unsampled: count(({ turns, state }) => turns === 0 && state !== 'refused'),
    meanReward:
      rewards.length === 0 ? undefined : rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length,
  };
}
