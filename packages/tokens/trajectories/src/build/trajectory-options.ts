import {
  aBoolean,
  aNumber,
  aText,
  custom,
  isJsonObject,
  oneOf,
  optional,
  type OptionRules,
  type ReadOptions,
  readOptions,
} from '@art/ground';
import { aTrainChoice, type TrainChoice } from '../tree/train-choice.ts';

/** How turns become rows; see {@link TrajectoryOptions.mode}. */
export const trajectoryModes = ['exact', 'reference'] as const;
export type TrajectoryMode = (typeof trajectoryModes)[number];

/** Options of `buildTrajectory`. Names with `Tokens` count tokens. */
export interface TrajectoryOptions {
  /**
   * - `exact`: a turn follows another where its prompt begins with all tokens of the other. Every row is a sequence that
   *   the engine has seen, and every sampled token trains exactly once; where a prompt has drifted from what was sampled,
   *   a new row begins.
   * - `reference`: the rules of the Python toolkit's `rollout_gateway`. Turns follow one another where their texts do;
   *   where the tokens then differ, the answer before may lose its training signal to keep one row.
   * @default 'exact'; 'reference' where `forkThresholdTokens` is given
   */
  mode?: TrajectoryMode | undefined;
  /**
   * `reference`: an answer shorter than this may be appended to a row whose last answer was spelled anew (which then does not
   * train), and gives way where the agent has rewritten it before it continued; a longer one begins a new row. 0 always begins a
   * new row. @default 1_024
   */
  forkThresholdTokens?: number | undefined;
  /** Longest row, prompt included; what is longer is cut and marked `truncated`. @default no bound */
  maxSampleTokens?: number | undefined;
  /**
   * True if turns train that were sampled under a grammar (`tool_choice: required`, JSON mode, a schema): the engine's logprobs of them are
   * those after the grammar's mask, which a trainer's own are not. @default false
   */
  trainConstrained?: boolean | undefined;
  /** Which agents train, where a session has several. @default all */
  trains?: TrainChoice | undefined;
  /** @default null */
  reward?: number | null | undefined;
  /** Which rows have the reward: the last one only, so that forks do not multiply it. @default 'last'; in `reference` 'every' */
  rewardOn?: 'last' | 'every' | undefined;
  /** @default the session's id */
  rolloutId?: string | undefined;
  /** @default null */
  groupId?: string | null | undefined;
  /** Goes into the metadata of every row, over what is there by itself. @default {} */
  metadata?: Readonly<Record<string, unknown>> | undefined;
}

const rules = {
  mode: optional(oneOf(...trajectoryModes)),
  forkThresholdTokens: optional(aNumber({ min: 0, integer: true })),
  maxSampleTokens: optional(aNumber({ min: 1, max: Infinity, integer: true }), Infinity),
  trainConstrained: optional(aBoolean, false),
  trains: optional(aTrainChoice),
  reward: (given = null, option) => (given === null ? null : aNumber()(given, option)),
  rewardOn: optional(oneOf('last', 'every')),
  rolloutId: optional(aText),
  groupId: (given = null, option) => (given === null ? null : aText(given, option)),
  metadata: optional(custom<Readonly<Record<string, unknown>>>('an object', isJsonObject), {}),
} satisfies OptionRules<TrajectoryOptions>;

/** The same with every default filled in. */
export interface ResolvedTrajectoryOptions extends ReadOptions<typeof rules> {
  readonly mode: TrajectoryMode;
  readonly forkThresholdTokens: number;
  readonly rewardOn: 'last' | 'every';
}

/** @throws ArtError `ART_INVALID_OPTION` */
export function resolveTrajectoryOptions(options: TrajectoryOptions): ResolvedTrajectoryOptions {
  const read = readOptions('buildTrajectory', options, rules);
  const { forkThresholdTokens, mode = forkThresholdTokens === undefined ? 'exact' : 'reference' } = read;
  return {
    ...read,
    mode,
    forkThresholdTokens: forkThresholdTokens ?? 1_024,
    rewardOn: read.rewardOn ?? (mode === 'reference' ? 'every' : 'last'),
  };
}
