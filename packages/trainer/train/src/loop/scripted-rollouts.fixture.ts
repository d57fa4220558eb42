import type { EvaluatedAgent } from '@art/eval';
import { type Group, groupAdvantages, type GroupOptions, RolloutClient } from '@art/rollout';
import type { AgentRuntime } from '@art/protocol';
import type { TrainingRow } from '@art/trajectories';
import { sampleRow } from '@art/trajectories/testing';
import type { RolloutSource } from '../run/train-options.ts';
import type { ServedPolicy } from '../sampling/served-policy.ts';

/** The game that is played: a prompt, and the reward of an answer to it. */
export interface Game {
  prompt: readonly number[];
  maxTokens: number;
  reward: (answer: readonly number[]) => number;
  /** Waits before the rollouts of a group play. @default none */
  pause?: (() => Promise<void>) | undefined;
  /** True if the gateway captured it. @default true */
  hasRows?: boolean | undefined;
  /** Does something wrong on the way to the trainer. @default nothing */
  spoil?: ((row: TrainingRow) => TrainingRow) | undefined;
}

export interface PlayedClient extends RolloutSource {
  /** Most groups that were started and not settled at once. */
  mostActive: number;
  /** Inputs in the order in which they were started. */
  started: object[];
  acknowledged: number[];
}

/** Rollouts of one turn that are played without agents and gateways, straight against the policy. */
export function playedClient(
  policy: ServedPolicy,
  gameOf: (input: object, index: number) => Game,
): PlayedClient {
  const played: PlayedClient = {
    mostActive: 0,
    started: [],
    acknowledged: [],
    runGroups: (inputs, options) => play(inputs, options),
  };
  async function* play<Input extends object>(
    inputs: AsyncIterable<Input>,
    { rolloutsPerInput, signal, advantages = {} }: GroupOptions<Input>,
  ): AsyncGenerator<Group<Input>, void, undefined> {
    const settled: Group<Input>[] = [];
    let active = 0;
    let wake = (): void => undefined;
    let failure: unknown;
    signal?.addEventListener('abort', () => wake());
    const pull = async (): Promise<void> => {
      let index = 0;
      for await (const input of inputs) {
        played.started.push(input);
        active += 1;
        played.mostActive = Math.max(played.mostActive, active);
        playGroup(input, index)
          .then((group) => settled.push(group))
          .catch((error: unknown) => (failure = error))
          .finally(() => {
            active -= 1;
            wake();
          });
        index += 1;
      }
    };
    void pull();
    for (;;) {
      signal?.throwIfAborted();
      if (failure !== undefined) throw failure as Error;
      const group = settled.shift();
      if (group !== undefined) yield group;
      else await new Promise<void>((resolve) => (wake = resolve));
    }

    async function playGroup(input: Input, index: number): Promise<Group<Input>> {
      const game = gameOf(input, index);
      await game.pause?.();
      const { prompt, maxTokens, reward, hasRows = true, spoil = (row: TrainingRow) => row } = game;
      const answers = await Promise.all(
        Array.from({ length: rolloutsPerInput }, async (_, member) => {
          const request = { prompt, maxTokens, samples: 1, temperature: 1, seed: index * 1_000 + member };
          return (await policy.sample(request, signal))[0]!;
        }),
      );
      const earned = answers.map(({ tokens }) => reward(tokens));
      const rewards = earned.map((value) => (Number.isNaN(value) ? undefined : value));
      const mean = earned.reduce((sum, value) => sum + value, 0) / earned.length;
      const better = groupAdvantages(rewards, advantages);
      const rows = answers.map(({ tokens, logprobs, weightVersion }, member) =>
        spoil(
          sampleRow({
            row_id: `${index}-${member}`,
            session_id: `${index}-${member}`,
            rollout_id: `${index}-${member}`,
            group_id: String(index),
            token_ids: [...prompt, ...tokens],
            prompt_length: prompt.length,
            loss_mask: tokens.map(() => 1),
            logprobs,
            advantages: tokens.map(() => better[member] ?? 0),
            reward: earned[member]!,
            num_turns: 1,
            turn_spans: [
              { trace_id: 't', start: 0, end: tokens.length, weight_version: Number(weightVersion) },
            ],
          }),
        ),
      );
      return {
        kind: rewards.includes(undefined) ? 'failed' : 'complete',
        usable: !rewards.includes(undefined),
        index,
        inputId: String(index),
        input,
        members: earned.map((value, member) => ({
          member,
          reward: value,
          status: 'kept',
          attempts: [],
          attempt: {
            sessionId: `${index}-${member}`,
            outcome: { kind: 'ok', reward: value, document: {} },
            trajectory: () =>
              Promise.resolve({
                rows: hasRows ? [rows[member]!] : [],
                summary: {
                  turns: hasRows ? 1 : 0,
                  failedCalls: 0,
                  trainedTokens: answers[member]!.tokens.length,
                },
              }),
          },
        })),
        leftOut: [],
        rewards,
        meanReward: mean,
        missing: 0,
        elapsedMs: 0,
        advantages: undefined,
        acknowledge: () => Promise.resolve(void played.acknowledged.push(index)),
        rows: () => Promise.resolve({ rows: hasRows ? rows : [], members: rows.length, without: [] }),
      } as unknown as Group<Input>;
    }
  }
  return played;
}

/** An agent to evaluate that is played the same way, in this process, behind a real client. */
export function playedAgent(policy: ServedPolicy, gameOf: (input: object) => Game): EvaluatedAgent {
  const runtime: AgentRuntime = {
    isLocal: true,
    invoke: async ({ body }) => {
      const { prompt, maxTokens, reward } = gameOf(JSON.parse(body) as object);
      const [answer] = await policy.sample({ prompt, maxTokens, samples: 1, temperature: 1 });
      return { body: JSON.stringify({ reward: reward(answer!.tokens) }) };
    },
    stop: () => Promise.resolve({ kind: 'stopped' }),
  };
  return { client: new RolloutClient({ runtime }), endsWithProcess: true };
}

const keys = [0, 1, 2, 3, 4, 5];
const [user, assistant, end] = [6, 7, 8];

/** A policy that a test can afford to train. */
export const echoShape = {
  vocabularySize: 9,
  hiddenSize: 32,
  intermediateSize: 32,
  layers: 1,
  heads: 2,
  headSize: 16,
  maxContext: 16,
  endToken: end,
};

/** "Say the key that you were given." Chance is one in nine. */
export const echoTasks = keys.map((key) => ({ key }));

export function echoGame(input: object): Game {
  const { key } = input as { key: number };
  return { prompt: [user, key, assistant], maxTokens: 2, reward: ([said]) => (said === key ? 1 : 0) };
}

/** Logprobs one token late. */
export function shiftLogprobs(row: TrainingRow): TrainingRow {
  return { ...row, logprobs: [0, ...row.logprobs.slice(0, -1)] };
}
