import type { RolloutRecord } from '@art/trajectories';
import {
  type Clock,
  aFunction,
  anObject,
  anyObject,
  isJsonObject,
  unchecked,
  aText,
  custom,
  optional,
  type OptionRules,
  readOptions,
  refuseOption,
  withMethod,
} from '@art/ground';
import { type EvaluatedAgent, isGoalOfBoth, type Tasks } from '@art/eval';
import type { GatewayClient } from '@art/gateway-client';
import type { RolloutJournal } from '@art/journal';
import { type AgentRuntime } from '@art/protocol';
import type { Group, GroupOptions } from '@art/rollout';
import type { ServedPolicy } from '../sampling/served-policy.ts';
import type { SessionRegister } from '../sessions/session-register.ts';
import type { AdamParams, TrainingService, WeightsRef } from '../steps/index.ts';
import { isTeacher, type Teacher } from '../teacher/teacher.ts';
import {
  checkChoices,
  count,
  type GroupedChoice,
  trainingChoiceRules,
  type TrainingChoices,
  withGroups,
} from './training-choices.ts';

/** The source of rollouts. A `RolloutClient` is one. */
export interface RolloutSource {
  runGroups<Input extends object>(
    inputs: AsyncIterable<Input>,
    options: GroupOptions<Input>,
  ): AsyncIterable<Group<Input>>;
}

/** Measures versions on tasks that are not trained on, beside the rollouts of the next step. */
export interface EvaluationOptions {
  /** The agent, its calls of the model answered by `policy`: with its own gateway. */
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
  /**
   * Question about the difference from the first version, at whose answer the evaluation of another one ends: `difference > 0`. A score is then of the tasks
   * that were asked, and versions are compared by the tasks that both have. @default all tasks are asked
   */
  until?: string | undefined;
  /** Least and greatest reward that a task can give, for `until`. @default [0, 1] */
  rewardRange?: readonly [number, number] | undefined;
}

/** Tasks of several kinds, each with the share of its draws: a weight of 3 beside one of 1 is three draws of four. */
export type TaskMixture = Readonly<Record<string, { weight: number; tasks: readonly object[] }>>;

/** Options of `train`. */
export interface TrainOptions extends TrainingChoices {
  /** The service that makes the training steps. */
  service: TrainingService;
  /** The model that answers the agents' calls; the loop gives it each version. */
  policy: ServedPolicy;
  /** Makes the rollouts: a `RolloutClient` with a gateway that captures. */
  client: RolloutSource;
  /** The gateway that agents call: told each version, which it writes beside the tokens, and asked what rollouts said. */
  gateway: Pick<GatewayClient, 'setWeightVersion'> & Partial<Pick<GatewayClient, 'compactCaptures'>>;
  /**
   * Says how likely it finds what the policy said, and each token is rewarded by that: see `distillation`. Weights are those of the training service, by
   * the name that it gave them. It has the vocabulary of the model that is trained. @default rewards alone
   */
  teacher?: Teacher | WeightsRef | undefined;
  /** Payloads of the agent, a group each, or a mixture of some. All are taken once in an order that the seed decides; `draw` says what comes then. */
  tasks: readonly object[] | TaskMixture;
  /** Folder of the run. One that has a checkpoint in it is gone on with. */
  directory: string;
  evaluation?: EvaluationOptions | undefined;
  /** Records rollouts, so that the next process stops the sessions of one that was killed. @default none: agents end with this process */
  rolloutJournal?: { journal: RolloutJournal; runtime: AgentRuntime } | undefined;
  /** Where remote training sessions are written down before they are created. @default `~/.art/training-sessions.jsonl` */
  register?: SessionRegister | undefined;
  /** Stops now; the training session is stopped all the same. */
  signal?: AbortSignal | undefined;
  /** Finishes the step, saves, and stops. */
  finishSignal?: AbortSignal | undefined;
  /** Called with things that a person should see. @default process.emitWarning */
  onNotice?: ((message: string) => void) | undefined;
  /** Called with each rollout as soon as its group has settled: `checkHealth` of `@art/eval/health` judges them. @default nobody */
  onRollout?: ((rollout: RolloutRecord) => void) | undefined;
  /** @default the system's */
  clock?: Clock | undefined;
}

const evaluationRules = {
  agent: anyObject<EvaluatedAgent>(),
  policy: withMethod<ServedPolicy>('a ServedPolicy', 'use'),
  tasks: unchecked<Tasks>(),
  everySteps: count(),
  samples: count(1),
  concurrency: count(16),
  until: optional(
    custom<string>(
      'a goal such as "difference > 0"',
      (value) => typeof value === 'string' && isGoalOfBoth(value),
    ),
  ),
  rewardRange: unchecked<readonly [number, number] | undefined>(),
} satisfies OptionRules<EvaluationOptions>;

const rules = {
  service: withMethod<TrainingService>('a TrainingService', 'open'),
  policy: withMethod<ServedPolicy>('a ServedPolicy', 'use'),
  client: withMethod<TrainOptions['client']>('a RolloutClient', 'runGroups'),
  gateway: withMethod<TrainOptions['gateway']>('a GatewayClient', 'setWeightVersion'),
  teacher: optional(
    custom<Teacher | WeightsRef>(
      'an object with a function `logprobs`, or with the name of `weights`',
      (value) => isTeacher(value) || typeof (value as WeightsRef | undefined)?.weights === 'string',
    ),
  ),
  tasks: custom<readonly object[] | TaskMixture>(
    'a list of at least one payload, or a mixture of such lists with a weight above 0 each',
    (value) => isList(value) || isMixture(value),
  ),
  directory: aText,
  ...trainingChoiceRules,
  evaluation: optional(anObject(evaluationRules)),
  rolloutJournal: optional(anyObject<NonNullable<TrainOptions['rolloutJournal']>>()),
  register: optional(withMethod<SessionRegister>('a SessionRegister', 'opening')),
  signal: optional(anyObject<AbortSignal>()),
  finishSignal: optional(anyObject<AbortSignal>()),
  onNotice: optional(aFunction<NonNullable<TrainOptions['onNotice']>>(), (message: string) =>
    process.emitWarning(message, 'ArtWarning'),
  ),
  onRollout: optional(aFunction<NonNullable<TrainOptions['onRollout']>>()),
  clock: optional(anyObject<Clock>()),
} satisfies OptionRules<TrainOptions, GroupedChoice | 'evaluation'>;

export type TrainSettings = ReturnType<typeof readTrainOptions>;

/** @throws ArtError `ART_INVALID_OPTION` */
export function readTrainOptions(options: TrainOptions) {
  const read = checkChoices(readOptions('train', withGroups(options), rules));
  const { stopWhen, rollBack } = read;
  const needsScores = stopWhen.score ?? stopWhen.evaluationsWithoutProgress ?? rollBack;
  if (needsScores !== undefined && read.evaluation === undefined)
    refuseOption('evaluation', 'given where `stopWhen` or `rollBack` asks for scores', undefined);
  if (read.evaluation?.until !== undefined && stopWhen.score !== undefined)
    refuseOption(
      'stopWhen.score',
      'left out beside `evaluation.until`: a score is then not of all tasks',
      stopWhen.score,
    );
  const mixture = Array.isArray(read.tasks)
    ? { tasks: { weight: 1, tasks: read.tasks as readonly object[] } }
    : (read.tasks as TaskMixture);
  const { reward: weight } = read.distillation;
  const isTeacherAlone = read.teacher !== undefined && weight === 0;
  return {
    ...read,
    tasks: Object.values(mixture).flatMap(({ tasks }) => tasks),
    parts: Object.entries(mixture).map(([name, { weight, tasks }]) => ({
      name,
      weight,
      tasks: tasks.length,
    })),
    draw: isTeacherAlone ? ('in_turn' as const) : read.draw,
    adam: { ...read.adam, learningRate: read.learningRate } satisfies AdamParams,
  };
}

function isList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}

function isMixture(value: unknown): boolean {
  const parts = isJsonObject(value) ? Object.values(value) : [];
  return (
    parts.length > 0 &&
    parts.every(
      (part) =>
        isJsonObject(part) &&
        isList(part['tasks']) &&
        Number(part['weight']) > 0 &&
        Number.isFinite(part['weight']),
    )
  );
}
