import {
  aNumber,
  anObject,
  custom,
  oneOf,
  optional,
  type OptionRules,
  readOptions,
  type ReadOptions,
  refuseOption,
  unchecked,
} from '@art/ground';
import type { AdvantageOptions, GroupOptions } from '@art/rollout';
import type { LossAverage } from '../rows/average-loss.ts';
import type { AdamParams, Loss } from '../steps/index.ts';

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

/** When a run goes back to its best version by itself, with a new session and the data behind what was trained. */
export interface RollBackOptions {
  /** By how much a score is below the best one, at least a little more. */
  drop: number;
  /** In so many evaluations in a row. @default 2 */
  evaluations?: number | undefined;
  /** Most often in a run. The next fall ends it. @default 3 */
  times?: number | undefined;
}

/** The parts of an advantage where a run has a teacher. Each token gets by how much likelier the teacher would have said it. */
export interface DistillationOptions {
  /** The weight of the reverse KL to the teacher. @default 1 */
  coefficient?: number | undefined;
  /** The weight of the advantage that comes of rewards, beside it. @default 0: the teacher alone, and rewards are only measured */
  reward?: number | undefined;
}

/** The losses that read advantages. `cross_entropy` would train on every answer alike, whatever its reward. */
export type PolicyLoss = Exclude<Loss, { name: 'cross_entropy' }>;

/** How the learning rate changes over a run. */
export interface LearningRateSchedule {
  /** The course behind the warm-up: the rate stays, or falls in a line or half a cosine until the last step. @default 'constant' */
  kind?: 'constant' | 'linear' | 'cosine' | undefined;
  /** Steps in which the rate rises to what it is to be. @default 0 */
  warmupSteps?: number | undefined;
  /** The share of the rate that it falls to. @default 0 */
  floor?: number | undefined;
}

/** The choices of a run that can be written down: everything but what makes rollouts and steps. */
export interface TrainingChoices {
  /** How many steps in all. */
  steps: number;
  groupsPerStep: number;
  rolloutsPerGroup: number;
  /**
   * Least groups that a step is made of. Where fewer have two different rewards, further groups are taken, and what is too little in the end waits for the
   * next step. At most `groupsPerStep`, which makes every step as large as the others. @default 2
   */
  minTrainedGroups?: number | undefined;
  /** Most groups that are taken so for a step. @default twice groupsPerStep */
  maxRefilledGroups?: number | undefined;
  /** At most 0.01. */
  learningRate: number;
  /** @default the same rate in each step */
  learningRateSchedule?: LearningRateSchedule | undefined;
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
  /** How the teacher of a run and its rewards are brought together. @default the teacher alone */
  distillation?: DistillationOptions | undefined;
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
  /**
   * Which tasks come behind the first pass over all. `teaching`: those more often whose groups had different rewards; what is solved, or too hard, rests
   * and comes back. `in_turn`: all once, then all again in another order. @default 'teaching', and 'in_turn' with a teacher alone
   */
  draw?: 'teaching' | 'in_turn' | undefined;
  /** Decides about the order of the data. @default 0 */
  seed?: number | undefined;
  /**
   * Where a folder with a checkpoint is gone on with. `best`: the version with the best evaluation; the data continues behind what was trained, and the
   * steps behind that version are made anew. @default 'last'
   */
  from?: 'last' | 'best' | undefined;
  /** Goes back to the best version where the held-out score falls. @default it does not */
  rollBack?: RollBackOptions | undefined;
  /** After how many steps a state is saved; the last is, too. @default 20 */
  checkpointEverySteps?: number | undefined;
  stopWhen?: StopWhen | undefined;
  /** @default no costs */
  prices?: TokenPrices | undefined;
  guards?: GuardOptions | undefined;
}

/** A count of at least 1. @param fallback where none is given */
export const count = (fallback?: number) =>
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

const scheduleRules = {
  kind: optional(oneOf('constant', 'linear', 'cosine'), 'constant'),
  warmupSteps: optional(aNumber({ min: 0, integer: true }), 0),
  floor: optional(aNumber({ min: 0, max: 1 }), 0),
} satisfies OptionRules<LearningRateSchedule>;

const rollBackRules = {
  drop: aNumber({ min: 0 }),
  evaluations: count(2),
  times: count(3),
} satisfies OptionRules<RollBackOptions>;

export type RollBackSettings = ReadOptions<typeof rollBackRules>;

const distillationRules = {
  coefficient: optional(aNumber({ above: 0 }), 1),
  reward: optional(aNumber({ min: 0 }), 0),
} satisfies OptionRules<DistillationOptions>;

/** A rule for each choice, for `train` and for `art train`. */
export const trainingChoiceRules = {
  steps: count(),
  groupsPerStep: count(),
  rolloutsPerGroup: aNumber({ min: 2, integer: true }),
  minTrainedGroups: count(2),
  maxRefilledGroups: optional(aNumber({ min: 0, integer: true })),
  learningRate: aNumber({ above: 0 }),
  learningRateSchedule: anObject(scheduleRules),
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
  distillation: anObject(distillationRules),
  maxStepsOffPolicy: optional(aNumber({ min: 0, integer: true }), 0),
  maxVersionLag: optional(aNumber({ min: 0, integer: true })),
  maxRolloutMs: optional(aNumber({ above: 0 }), 900_000),
  maxConcurrentSessions: optional(count()),
  groups: optional(unchecked<GroupChoices>(), {}),
  draw: optional(oneOf('teaching', 'in_turn'), 'teaching' as const),
  seed: optional(aNumber({ min: 0, integer: true }), 0),
  from: optional(oneOf('last', 'best'), 'last' as const),
  rollBack: optional(anObject(rollBackRules)),
  checkpointEverySteps: count(20),
  stopWhen: anObject(stopRules),
  prices: optional(anObject({ prompt: aPrice, sampled: aPrice, trained: aPrice })),
  guards: anObject(guardRules),
} satisfies OptionRules<TrainingChoices, GroupedChoice>;

/** Choices with their own members. */
export type GroupedChoice = 'adam' | 'stopWhen' | 'guards' | 'learningRateSchedule' | 'distillation';

/** Choices with their own members can be left out as a whole. */
export function withGroups<Choices extends Pick<TrainingChoices, GroupedChoice>>(choices: Choices) {
  const {
    adam = {},
    stopWhen = {},
    guards = {},
    learningRateSchedule = {},
    distillation = {},
  } = choices ?? {};
  return { ...choices, adam, stopWhen, guards, learningRateSchedule, distillation };
}

/**
 * Reads the choices of a run, and fills in what stands for those that are left out.
 * @throws ArtError `ART_INVALID_OPTION`
 */
export function readTrainingChoices(choices: TrainingChoices) {
  return checkChoices(readOptions('train', withGroups(choices), trainingChoiceRules));
}

type Checked = Pick<
  ReadOptions<typeof trainingChoiceRules>,
  'learningRate' | 'loss' | 'maxStepsOffPolicy' | 'stopWhen' | 'prices'
>;

/**
 * Refuses choices that do not go together.
 * @throws ArtError `ART_INVALID_OPTION`
 */
export function checkChoices<Read extends Checked>(read: Read): Read {
  if (read.learningRate > 0.01) refuseOption('learningRate', 'a number of at most 0.01', read.learningRate);
  if (read.loss.name === 'importance_sampling' && read.maxStepsOffPolicy > 1) {
    refuseOption('maxStepsOffPolicy', 'at most 1 with importance_sampling', read.maxStepsOffPolicy, {
      advice:
        'Its ratio has no bound, and grows with the distance between the two policies until a few tokens decide each step. Take ppo or cispo.',
    });
  }
  if (read.stopWhen.money !== undefined && read.prices === undefined)
    refuseOption('prices', 'given where `stopWhen.money` is', undefined);
  return read;
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
