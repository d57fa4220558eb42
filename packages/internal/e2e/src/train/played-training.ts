import { join } from 'node:path';
import type { Group, GroupOptions } from '@art/client';
import { type RolloutSource, ServedPolicy, SessionRegister, train, type TrainingStep } from '@art/train';
import type { TrainingService } from '@art/train/steps';
import { sagemakerTraining } from '@art/train-sagemaker';
import { sampleRow } from '@art/trajectories/testing';

export const keys = { accessKeyId: 'local', secretAccessKey: 'local-secret' };

/** "Say the token that you were given", for a policy of nine tokens. */
export const echoShape = {
  vocabularySize: 9,
  hiddenSize: 16,
  intermediateSize: 16,
  layers: 1,
  heads: 2,
  headSize: 8,
  maxContext: 12,
  endToken: 8,
};

export interface PlayedTraining {
  endpoint: string;
  directory: string;
  steps: number;
}

/**
 * Trains at SageMaker's wire by rollouts that need no agent: what is to be seen is the loop, its driver and its files. What is sampled follows
 * from the weights alone, so that a run which was broken off and gone on with ends with the weights of one that was not.
 */
export function playedTraining({ endpoint, directory, steps }: PlayedTraining): AsyncIterable<TrainingStep> {
  const policy = new ServedPolicy();
  const served = { version: 0 };
  return train({
    service: playedService(endpoint),
    policy,
    client: played(policy, served),
    gateway: { setWeightVersion: (version) => Promise.resolve(void (served.version = version)) },
    tasks: [0, 1, 2, 3].map((key) => ({ key })),
    directory,
    steps,
    groupsPerStep: 2,
    rolloutsPerGroup: 4,
    learningRate: 0.01,
    klCoefficient: 0.1,
    checkpointEverySteps: 3,
    guards: { maxStepsWithoutSpread: 1_000 },
    register: new SessionRegister(join(directory, 'sessions.jsonl')),
    onNotice: () => undefined,
  });
}

/** The driver of SageMaker's training sessions, at a service of this machine. */
export function playedService(endpoint: string): TrainingService {
  return sagemakerTraining({
    region: 'us-west-2',
    credentials: () => Promise.resolve(keys),
    endpoint,
    runtimeEndpoint: endpoint,
    baseModelArn: 'arn:aws:sagemaker:us-west-2:aws:hub-content/SageMakerPublicHub/Model/tiny',
    roleArn: 'arn:aws:iam::123456789012:role/train',
    outputS3: 's3://bucket/out',
    loraRank: 4,
    pollMs: 5,
    onNotice: () => undefined,
  });
}

function played(policy: ServedPolicy, served: { version: number }): RolloutSource {
  return {
    async *runGroups<Input extends object>(
      inputs: AsyncIterable<Input>,
      { rolloutsPerInput, signal }: GroupOptions<Input>,
    ): AsyncGenerator<Group<Input>, void, undefined> {
      let index = 0;
      for await (const input of inputs) {
        yield await playGroup(policy, { input, index: index++, size: rolloutsPerInput, ...served, signal });
      }
      signal?.throwIfAborted();
    },
  };
}

interface GroupPlay<Input> {
  input: Input;
  index: number;
  size: number;
  version: number;
  signal: AbortSignal | undefined;
}

async function playGroup<Input extends object>(
  policy: ServedPolicy,
  { input, index, size, version, signal }: GroupPlay<Input>,
): Promise<Group<Input>> {
  const { key } = input as { key: number };
  const prompt = [6, key, 7];
  const request = { prompt, samples: size, maxTokens: 512, temperature: 1, seed: version * 10 + key };
  const answers = await policy.sample(request, signal);
  const rewards = answers.map(({ tokens }) => (tokens[0] === key ? 1 : 0));
  const mean = rewards.reduce((sum: number, reward) => sum + reward, 0) / size;
  const rows = answers.map(({ tokens, logprobs, weightVersion }, member) =>
    sampleRow({
      row_id: `${index}-${member}`,
      session_id: `${index}-${member}`,
      rollout_id: `${index}-${member}`,
      group_id: String(index),
      token_ids: [...prompt, ...tokens],
      prompt_length: prompt.length,
      loss_mask: tokens.map(() => 1),
      logprobs,
      advantages: tokens.map(() => rewards[member]! - mean),
      reward: rewards[member]!,
      num_turns: 1,
      turn_spans: [{ trace_id: 't', start: 0, end: tokens.length, weight_version: Number(weightVersion) }],
    }),
  );
  return {
    kind: 'complete',
    usable: true,
    index,
    input,
    members: [],
    leftOut: [],
    rewards,
    acknowledge: () => Promise.resolve(),
    rows: () => Promise.resolve({ rows, members: size, without: [] }),
  } as unknown as Group<Input>;
}
