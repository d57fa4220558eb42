import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { RolloutClient } from '@art/client';
import { startGateway } from '@art/gateway';
import { GatewayClient } from '@art/gateway-client';
import { type AgentRuntime, parseRipConfig } from '@art/protocol';
import { tokenEngine } from '@art/token-engine';
import { ServedPolicy, SessionRegister, train, type TrainingStep } from '@art/train';
import { localService, writeWordTokenizer } from '@art/train/local';
import { randomLcg } from 'd3-random';
import { type DurationModel, durationSource } from '../workload/duration-model.ts';

export interface TimedTrainingOptions {
  /** Decides about weights, order of the data, and how long each rollout takes. */
  seed: number;
  steps: number;
  groupsPerStep: number;
  rolloutsPerGroup: number;
  maxStepsOffPolicy: number;
  /** Durations of an agent's work besides calling the model. */
  durations: DurationModel;
}

export interface TimedTraining {
  wallMs: number;
  /** Mean reward of the last ten steps. */
  reward: number;
  steps: TrainingStep[];
}

const words = ['ba', 'de', 'fi', 'go'];

/**
 * A run of `train`: agents in this process that work for as long as the plan says and call the model once through a gateway, to say the word
 * that they were given; a small policy of this machine.
 */
export async function timedTraining(options: TimedTrainingOptions): Promise<TimedTraining> {
  const { seed, durations, ...run } = options;
  const directory = await mkdtemp(join(tmpdir(), 'art-bench-train-'));
  await using parts = new AsyncDisposableStack();
  parts.defer(() => rm(directory, { recursive: true, force: true, maxRetries: 10 }));
  const checkpoint = join(directory, 'tokenizer');
  const tokenizer = await writeWordTokenizer(checkpoint, words);
  const policy = new ServedPolicy();
  const engine = tokenEngine({ sampler: policy, checkpoint, renderThreads: 1 });
  const gateway = await startGateway({ port: 0, logLevel: 'silent', engine, cumulativeTokenMode: true });
  parts.defer(() => gateway.close());
  const client = new RolloutClient({
    // The nth that starts is the nth of the plan, no matter who waits for whom.
    runtime: workingAgents(durationSource(durations, randomLcg(seed))),
    modelId: 'policy',
    gateway: { url: gateway.url, samplingDefaults: { temperature: 1 } },
  });
  parts.defer(() => client.close());
  const shape = {
    ...tokenizer,
    hiddenSize: 32,
    intermediateSize: 32,
    layers: 1,
    heads: 2,
    headSize: 16,
    maxContext: 32,
  };
  const steps: TrainingStep[] = [];
  const startedAtMs = performance.now();
  for await (const step of train({
    ...run,
    seed,
    service: localService({ shape, seed, directory: join(directory, 'saved') }),
    policy,
    client,
    gateway: new GatewayClient({ url: gateway.url }),
    tasks: words.map((word) => ({ word })),
    directory: join(directory, 'run'),
    learningRate: 0.01,
    klCoefficient: 0.05,
    guards: { maxStepsWithoutSpread: run.steps },
    register: new SessionRegister(join(directory, 'register.jsonl')),
  }))
    steps.push(step);
  return { wallMs: performance.now() - startedAtMs, reward: steps.at(-1)!.rewardOfTen!, steps };
}

function workingAgents(nextDurationMs: () => number): AgentRuntime {
  return {
    isLocal: true,
    invoke: async ({ body }, { signal } = {}) => {
      await delay(nextDurationMs(), undefined, { signal });
      const payload = JSON.parse(body) as { word: string };
      const { word } = payload;
      const { baseUrl, apiKey, modelId, samplingParams } = parseRipConfig(payload)!;
      const answer = await fetch(`${baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
        body: JSON.stringify({
          model: modelId,
          messages: [{ role: 'user', content: word }],
          max_tokens: 2,
          ...samplingParams,
        }),
        signal: signal ?? null,
      });
      if (!answer.ok) throw new Error(`HTTP ${answer.status}: ${await answer.text()}`);
      const { choices } = (await answer.json()) as { choices: [{ message: { content: string | null } }] };
      return {
        body: JSON.stringify({ reward: choices[0].message.content?.startsWith(word) === true ? 1 : 0 }),
      };
    },
    stop: () => Promise.resolve({ kind: 'stopped' }),
  };
}
