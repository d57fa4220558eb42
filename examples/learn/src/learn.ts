import type { RolloutClient, TrainingRow } from '@art/client';
import type { GatewayClient } from '@art/gateway-client';
import { lookupsOf } from './task.ts';

/** Makes new weights of rows. Any trainer will do. */
export interface Trainer {
  update(rows: readonly TrainerRow[], signal: AbortSignal): Promise<Update>;
}

/** Members of a row that the trainer reads. Where `logprobs` has null, it takes its own. */
export type TrainerRow = Pick<TrainingRow, 'token_ids' | 'prompt_length' | 'loss_mask'> & {
  logprobs: readonly (number | null)[];
  advantages: readonly number[];
};

export interface Update {
  /** Folder of the new weights, as safetensors. */
  weights: string;
  loss: number;
  /** By how much engine and trainer differ in the logprob of a sampled token, on average. */
  logprobGap: number;
  trainedTokens: number;
}

/** The inference server, as far as the loop needs it. */
export interface Engine {
  loadWeights(folder: string, signal: AbortSignal): Promise<void>;
}

export interface LearnOptions {
  client: Pick<RolloutClient, 'runGroups'>;
  gateway: Pick<GatewayClient, 'setWeightVersion'>;
  engine: Engine;
  trainer: Trainer;
  steps: number;
  rolloutsPerInput: number;
  maxConcurrentSessions: number;
  /** Decides about the inputs of every step. */
  seed: number;
  /** Changes rows on their way to the trainer. @default nothing */
  prepare?: ((row: TrainerRow) => TrainerRow) | undefined;
  signal: AbortSignal;
}

export interface LearningStep {
  /** From 1. */
  step: number;
  /** Mean over the rollouts that have a reward. */
  reward: number;
  rollouts: number;
  /** Rollouts without rows: they failed, or nothing of them was captured. */
  withoutRows: number;
  rows: number;
  update: Omit<Update, 'weights'>;
  rolloutMs: number;
  /** With the time until the new weights can be sampled. */
  updateMs: number;
}

/** GRPO, on policy: groups of rollouts become rows, the rows an update, the update new weights, and so on. */
export async function* learn(options: LearnOptions): AsyncGenerator<LearningStep, void, undefined> {
  const { client, gateway, engine, trainer, signal, prepare = (row: TrainerRow) => row } = options;
  for (let step = 1; step <= options.steps; step += 1) {
    const startedMs = performance.now();
    const rewards: number[] = [];
    const rows: TrainerRow[] = [];
    let withoutRows = 0;
    let failure: Error | undefined;
    for await (const group of client.runGroups(lookupsOf(options.seed, step), {
      rolloutsPerInput: options.rolloutsPerInput,
      maxConcurrentSessions: options.maxConcurrentSessions,
      advantages: { scale: 'sample' },
      timeoutMs: 300_000,
      signal,
    })) {
      const captured = await group.rows();
      withoutRows += captured.without.length;
      for (const member of [...group.members, ...group.leftOut])
        if ('error' in member) failure ??= member.error;
      rewards.push(...group.rewards.filter((reward) => reward !== undefined));
      for (const row of captured.rows) rows.push(prepare({ ...row, advantages: row.advantages! }));
    }
    if (rows.length === 0) {
      const message = `Expected rows in step ${step}, got none of ${withoutRows} rollouts. ${failure?.message ?? ''}`;
      throw new Error(message, { cause: failure });
    }

    const collectedMs = performance.now();
    const update = await trainer.update(rows, signal);
    await engine.loadWeights(update.weights, signal);
    // From here on the gateway writes this version beside every token that it captures.
    await gateway.setWeightVersion(step, { signal });
    yield {
      step,
      reward: rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length,
      rollouts: rewards.length,
      withoutRows,
      rows: rows.length,
      update,
      rolloutMs: collectedMs - startedMs,
      updateMs: performance.now() - collectedMs,
    };
  }
}
