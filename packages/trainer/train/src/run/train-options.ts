import {
  type Clock,
  aFunction,
  aNumber,
  anObject,
  anyObject,
  unchecked,
  aText,
  custom,
  oneOf,
  optional,
  type OptionRules,
  readOptions,
  refuseOption,
  withMethod,
} from '@art/ground';
import type { EvaluatedAgent, Tasks } from '@art/eval';
import type { GatewayClient } from '@art/gateway-client';
import type { RolloutJournal } from '@art/journal';
import { type AgentRuntime } from '@art/protocol';
import type { AdvantageOptions, CapturedRollout, Group, GroupOptions } from '@art/rollout';
import type { LossAverage } from '../rows/average-loss.ts';
import type { ServedPolicy } from '../sampling/served-policy.ts';
import type { SessionRegister } from '../sessions/session-register.ts';
import { type AdamParams, type Loss, type TrainingService } from '../steps/index.ts';

/** The source of rollouts. A `RolloutClient` is one. */
export interface RolloutSource {
  runGroups<Input extends object>(
    inputs: AsyncIterable<Input>,
    options: GroupOptions<Input>,
  ): AsyncIterable<Group<Input>>;
}

/** Options of `runGroups` that training passes on. */
export type GroupChoices = Pick<
  GroupOptions,
  'retry' | 'fallback' | 'hedge' | 'keepFirst' | 'minGroupSize' | 'rewardRule'
>;

/** The price of a million tokens, in one currency. */
export interface TokenPrices {
  prompt: number;
  sampled: number;
  trained: number;
}

/** Measures versions on tasks that are not trained on, beside the rollouts of the next step. */
export interface EvaluationOptions {
  /** The agent, its calls of the model answered by `policy`: with a gateway of its own. */
  agent: EvaluatedAgent;
  /** Gets the saved version that is measured. `new ServedPolicy({ temperature: 0 })` measures the same each time. */
  policy: ServedPolicy;
  /** As `evaluate` of `@art/eval` takes them. */
  tasks: Tasks;
  /** After how many steps; version 0 and the last are measured, too. */
  everySteps: number;
  /** How often each task is tried. @default 1 */
  samples?: number | undefined;
  /** Most sessions at once. @default 16 */
  concurrency?: number | undefined;
}

/** Ends the run in good order. */
export interface StopWhen {
  /** An evaluation has a mean of at least this. */
  score?: number | undefined;
  /** So many evaluations in a row were not better than the best before them. */
  evaluationsWithoutProgress?: number | undefined;
  /** So many tokens, of all kinds, were paid for. */
  tokens?: number | undefined;
  /** So much was spent, by `prices`. */
  money?: number | undefined;
}

/** Stops a run that burns money. */
export interface GuardOptions {
  /**
   * By how much sampler and trainer may differ in the logprob of a token, on average over a step's tokens of the newest weights. More means rows that are not
   * aligned with their logprobs, or a sampler with other weights. @default 0.05
   */
  maxLogprobGap?: number | undefined;
  /**
   * Every so many steps up to twelve trained rows are asked for before and behind the step: it has to make their good answers likelier. Each
   * question costs the prompt of its row. 0: never. @default 5
   */
  checkUpdateEverySteps?: number | undefined;
  /** So many steps in a row in which no group had two different rewards. @default 10 */
  maxStepsWithoutSpread?: number | undefined;
  /** The range of possible rewards. @default any number */
  rewardRange?: readonly [lowest: number, highest: number] | undefined;
}

/** The losses that read advantages. `cross_entropy` would train on every answer alike, whatever its reward. */
export type PolicyLoss = Exclude<Loss, { name: 'cross_entropy' }>;

/** Options of `train`. */
export interface TrainOptions {
  /** The service that makes the training steps. */
  service: TrainingService;
  /** The model that answers the agents' calls; the loop gives it each version. */
  policy: ServedPolicy;
  /** Makes the rollouts: a `RolloutClient` with a gateway that captures. */
  client: RolloutSource;
  /** The gateway that agents call: told each version, which it writes beside the tokens, and asked what rollouts said. */
  gateway: Pick<GatewayClient, 'setWeightVersion'> & Partial<Pick<GatewayClient, 'compactTraces'>>;
  /** Payloads of the agent, a group each. All are taken once in an order that the seed decides, then again in another. */
  tasks: readonly object[];
  /** Folder of the run. One that has a checkpoint in it is gone on with. */
  directory: string;
  /** How many steps in all. */
  steps: number;
  groupsPerStep: number;
  rolloutsPerGroup: number;
  learningRate: number;
  /** @default beta1 0.9, beta2 0.95, eps 1e-8, no weight decay, gradients cut to a norm of 1 */
  adam?: Partial<Omit<AdamParams, 'learningRate'>> | undefined;
  /** @default ppo with the ratio between 0.8 and 1.2; on policy that is importance_sampling */
  loss?: PolicyLoss | undefined;
  /** The mean that is the loss of a step. @default 'token' */
  average?: LossAverage | undefined;
  /** How advantages come of the rewards of a group. @default the reward minus the mean of its group */
  advantages?: AdvantageOptions | undefined;
  /** The weight of staying near the base model, as part of the advantages. @default 0, nothing */
  klCoefficient?: number | undefined;
  /**
   * Bounds how many groups are under way: at most `groupsPerStep * (maxStepsOffPolicy + 1)` are started and not trained. 0: each step waits for
   * all its rollouts. 1: the trainer does not wait for the slowest. It is no bound of a row's age: a rollout that takes long is trained late, and
   * `lag.most` tells how late. @default 0
   */
  maxStepsOffPolicy?: number | undefined;
  /**
   * Leaves out rows of which a token is of weights more optimizer steps ago, or of unknown weights. It takes what took long, and with it long
   * answers. @default none is left out
   */
  maxVersionLag?: number | undefined;
  /** Ends a rollout that hangs, in milliseconds. @default 900_000 */
  maxRolloutMs?: number | undefined;
  /** @default all rollouts that may be under way */
  maxConcurrentSessions?: number | undefined;
  /** The treatment of rollouts that fail or are slow, and how rewards are read. @default as `runGroups` */
  groups?: GroupChoices | undefined;
  /** Decides about the order of the data. @default 0 */
  seed?: number | undefined;
  /** After how many steps a state is saved; the last is, too. @default 20 */
  checkpointEverySteps?: number | undefined;
  evaluation?: EvaluationOptions | undefined;
  stopWhen?: StopWhen | undefined;
  /** @default no costs */
  prices?: TokenPrices | undefined;
  guards?: GuardOptions | undefined;
  /** Records rollouts, so that the next process stops the sessions of one that was killed. @default none: agents end with this process */
  rolloutJournal?: { journal: RolloutJournal; runtime: AgentRuntime } | undefined;
  /** Where remote training sessions are written down before they are created. @default `~/.art/training-sessions.jsonl` */
  register?: SessionRegister | undefined;
  /** Stops now; the training session is stopped all the same. */
  signal?: AbortSignal | undefined;
  /** Finishes the step, saves, and stops. */
  finishSignal?: AbortSignal | undefined;
  /** Told of things that a person should see. @default process.emitWarning */
  onNotice?: ((message: string) => void) | undefined;
  /** Told of each rollout as soon as its group has settled: `checkHealth` of `@art/eval/health` judges them. @default nobody */
  onRollout?: ((rollout: CapturedRollout) => void) | undefined;
  /** @default the system's */
  clock?: Clock | undefined;
}

const count = (fallback?: number) =>
  fallback === undefined
    ? aNumber({ min: 1, integer: true })
    : optional(aNumber({ min: 1, integer: true }), fallback);
const share = aNumber({ min: 0, max: 0.999999 });

const adamRules = {
  beta1: optional(share, 0.9),
  beta2: optional(share, 0.95),
  eps: optional(aNumber({ min: 1e-16, max: 0.01 }), 1e-8),
  weightDecay: optional(aNumber({ min: 0, max: 1 }), 0),
  gradClipNorm: optional(aNumber({ min: 0, max: 100 }), 1),
};

const evaluationRules = {
  agent: anyObject<EvaluatedAgent>(),
  policy: withMethod<ServedPolicy>('a ServedPolicy', 'use'),
  tasks: unchecked<Tasks>(),
  everySteps: count(),
  samples: count(1),
  concurrency: count(16),
} satisfies OptionRules<EvaluationOptions>;

const stopRules = {
  score: optional(aNumber()),
  evaluationsWithoutProgress: optional(count()),
  tokens: optional(aNumber({ above: 0 })),
  money: optional(aNumber({ above: 0 })),
} satisfies OptionRules<StopWhen>;

const guardRules = {
  maxLogprobGap: optional(aNumber({ above: 0 }), 0.05),
  checkUpdateEverySteps: optional(aNumber({ min: 0, integer: true }), 5),
  maxStepsWithoutSpread: count(10),
  rewardRange: optional(
    custom<readonly [number, number]>('[lowest, highest]', (value) => {
      return (
        Array.isArray(value) && value.length === 2 && value.every(Number.isFinite) && value[0] < value[1]
      );
    }),
  ),
} satisfies OptionRules<GuardOptions>;

const aPrice = aNumber({ min: 0 });
const rules = {
  service: withMethod<TrainingService>('a TrainingService', 'open'),
  policy: withMethod<ServedPolicy>('a ServedPolicy', 'use'),
  client: withMethod<TrainOptions['client']>('a RolloutClient', 'runGroups'),
  gateway: withMethod<TrainOptions['gateway']>('a GatewayClient', 'setWeightVersion'),
  tasks: custom<readonly object[]>(
    'a list of at least one payload',
    (value) => Array.isArray(value) && value.length > 0,
  ),
  directory: aText,
  steps: count(),
  groupsPerStep: count(),
  rolloutsPerGroup: aNumber({ min: 2, integer: true }),
  learningRate: aNumber({ above: 0 }),
  adam: anObject(adamRules),
  loss: optional(
    custom<PolicyLoss>(
      '{ name: importance_sampling, ppo or cispo, and for the last two clipLow and clipHigh }',
      isLoss,
    ),
    { name: 'ppo', clipLow: 0.8, clipHigh: 1.2 } as PolicyLoss,
  ),
  average: optional(oneOf('token', 'sequence'), 'token'),
  advantages: optional(unchecked<AdvantageOptions>(), {}),
  klCoefficient: optional(aNumber({ min: 0 }), 0),
  maxStepsOffPolicy: optional(aNumber({ min: 0, integer: true }), 0),
  maxVersionLag: optional(aNumber({ min: 0, integer: true })),
  maxRolloutMs: optional(aNumber({ above: 0 }), 900_000),
  maxConcurrentSessions: optional(count()),
  groups: optional(unchecked<GroupChoices>(), {}),
  seed: optional(aNumber({ min: 0, integer: true }), 0),
  checkpointEverySteps: count(20),
  evaluation: optional(anObject(evaluationRules)),
  stopWhen: anObject(stopRules),
  prices: optional(anObject({ prompt: aPrice, sampled: aPrice, trained: aPrice })),
  guards: anObject(guardRules),
  rolloutJournal: optional(anyObject<NonNullable<TrainOptions['rolloutJournal']>>()),
  register: optional(withMethod<SessionRegister>('a SessionRegister', 'opening')),
  signal: optional(anyObject<AbortSignal>()),
  finishSignal: optional(anyObject<AbortSignal>()),
  onNotice: optional(aFunction<NonNullable<TrainOptions['onNotice']>>(), (message: string) =>
    process.emitWarning(message, 'ArtWarning'),
  ),
  onRollout: optional(aFunction<NonNullable<TrainOptions['onRollout']>>()),
  clock: optional(anyObject<Clock>()),
} satisfies OptionRules<TrainOptions, 'adam' | 'stopWhen' | 'guards' | 'evaluation'>;

export type TrainSettings = ReturnType<typeof readTrainOptions>;

/** @throws ArtError `ART_INVALID_OPTION` */
export function readTrainOptions(options: TrainOptions) {
  const { adam = {}, stopWhen = {}, guards = {} } = options ?? {};
  const read = readOptions('train', { ...options, adam, stopWhen, guards }, rules);
  if (read.learningRate > 0.01) refuseOption('learningRate', 'a number of at most 0.01', read.learningRate);
  if (read.loss.name === 'importance_sampling' && read.maxStepsOffPolicy > 1) {
    refuseOption('maxStepsOffPolicy', 'at most 1 with importance_sampling', read.maxStepsOffPolicy, {
      advice:
        'Its ratio has no bound, and grows with the distance between the two policies until a few tokens decide each step. Take ppo or cispo.',
    });
  }
  if (read.stopWhen.money !== undefined && read.prices === undefined)
    refuseOption('prices', 'given where `stopWhen.money` is', undefined);
  const needsScores = read.stopWhen.score ?? read.stopWhen.evaluationsWithoutProgress;
  if (needsScores !== undefined && read.evaluation === undefined)
    refuseOption('evaluation', 'given where `stopWhen` asks for scores', undefined);
  return { ...read, adam: { ...read.adam, learningRate: read.learningRate } satisfies AdamParams };
}

function isLoss(value: unknown): boolean {
  const { name, clipLow, clipHigh } = (value ?? {}) as {
    name?: string;
    clipLow?: unknown;
    clipHigh?: unknown;
  };
  if (name === 'importance_sampling') return true;
  return (name === 'ppo' || name === 'cispo') && isBound(clipLow, 0, 1) && isBound(clipHigh, 1, 10);
}

function isBound(bound: unknown, lowest: number, highest: number): boolean {
  return typeof bound === 'number' && bound >= lowest && bound <= highest;
}
