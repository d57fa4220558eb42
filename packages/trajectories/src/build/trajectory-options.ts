import { isJsonObject, refuseOption } from '@art/protocol';

/** How turns become rows; see {@link TrajectoryOptions.mode}. */
export const trajectoryModes = ['exact', 'reference'] as const;
export type TrajectoryMode = (typeof trajectoryModes)[number];

/** What `buildTrajectory` can be told. Names with `Tokens` count tokens. */
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
   * train), and gives way where the agent has rewritten it before it went on; a longer one begins a new row. 0 always begins a
   * new row. @default 1_024
   */
  forkThresholdTokens?: number | undefined;
  /** Longest row, prompt included; what is longer is cut and marked `truncated`. @default no bound */
  maxSampleTokens?: number | undefined;
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

/** The same with every default filled in. */
export interface ResolvedTrajectoryOptions {
  mode: TrajectoryMode;
  forkThresholdTokens: number;
  maxSampleTokens: number;
  reward: number | null;
  rewardOn: 'last' | 'every';
  rolloutId: string | undefined;
  groupId: string | null;
  metadata: Readonly<Record<string, unknown>>;
}

/** @throws ArtError `ART_INVALID_OPTION` */
export function resolveTrajectoryOptions(options: TrajectoryOptions): ResolvedTrajectoryOptions {
  const hasThreshold = options.forkThresholdTokens !== undefined;
  const mode = choice(options, 'mode', trajectoryModes, hasThreshold ? 'reference' : 'exact');
  return {
    mode,
    forkThresholdTokens: tokens(options, 'forkThresholdTokens', 0, 1_024),
    maxSampleTokens:
      options.maxSampleTokens === Number.POSITIVE_INFINITY
        ? options.maxSampleTokens
        : tokens(options, 'maxSampleTokens', 1, Number.POSITIVE_INFINITY),
    reward: rewardOf(options),
    rewardOn: choice(options, 'rewardOn', ['last', 'every'], mode === 'reference' ? 'every' : 'last'),
    rolloutId: name(options, 'rolloutId'),
    groupId: name(options, 'groupId') ?? null,
    metadata: metadataOf(options),
  };
}

function choice<Value extends string>(
  options: TrajectoryOptions,
  option: keyof TrajectoryOptions,
  values: readonly Value[],
  standard: Value,
): Value {
  const value = options[option];
  if (value === undefined) return standard;
  const known = values.find((candidate) => candidate === value);
  return known ?? refuseOption(option, values.map((text) => JSON.stringify(text)).join(' or '), value);
}

function tokens(
  options: TrajectoryOptions,
  option: 'forkThresholdTokens' | 'maxSampleTokens',
  least: number,
  standard: number,
): number {
  const value = options[option];
  if (value === undefined) return standard;
  return Number.isSafeInteger(value) && value >= least
    ? value
    : refuseOption(option, `a whole number >= ${least}`, value);
}

function rewardOf({ reward }: TrajectoryOptions): number | null {
  if (reward === undefined || reward === null) return null;
  return Number.isFinite(reward) ? reward : refuseOption('reward', 'a finite number or null', reward);
}

function name(options: TrajectoryOptions, option: 'rolloutId' | 'groupId'): string | undefined {
  const value = options[option];
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' && value !== ''
    ? value
    : refuseOption(option, 'a non-empty string', value);
}

function metadataOf({ metadata }: TrajectoryOptions): Readonly<Record<string, unknown>> {
  if (metadata === undefined) return {};
  return isJsonObject(metadata) ? metadata : refuseOption('metadata', 'an object', metadata);
}
