import {
  aNumber,
  custom,
  oneOf,
  optional,
  type OptionRules,
  readOptions,
  type ReadOptions,
} from '@art/ground';

/** When a check reports something. Shares are from 0 to 1; a finding needs more than the share. */
export interface HealthOptions {
  /**
   * Purpose of the rollouts. Groups without spread, answers without tokens and the like are errors where a trainer is to learn, and worth a
   * note where an agent is only measured. @default 'evaluation'
   */
  purpose?: 'evaluation' | 'training' | undefined;
  /** How many rollouts it takes to say that something never happens. @default 8 */
  minRollouts?: number | undefined;
  /** How many calls of a tool it takes to say that it always fails. @default 8 */
  minToolCalls?: number | undefined;
  /** Share of a tool's results that are errors. @default 0.9 */
  maxToolErrorShare?: number | undefined;
  /** Share of answers that have a call of a tool in their text, and of calls that are ill-formed. @default 0.05 */
  maxBrokenToolCallShare?: number | undefined;
  /** Share of the model's calls that failed. @default 0.05 */
  maxFailedCallShare?: number | undefined;
  /** Share of calls whose capture is not complete. @default 0 */
  maxIncompleteShare?: number | undefined;
  /** Share of the sampled tokens that train. @default 0.9 */
  minTrainedShare?: number | undefined;
  /** Share of answers that were cut off at their largest length. @default 0.1 */
  maxCutOffShare?: number | undefined;
  /** Share of answers with nothing in them. @default 0 */
  maxHollowShare?: number | undefined;
  /** Share of groups whose rewards are equal. @default 0.5 */
  maxEqualGroupShare?: number | undefined;
  /** Least and greatest reward that the task can give. @default not checked */
  rewardRange?: readonly [number, number] | undefined;
  /** Correlation of reward and length from which length itself seems to be paid, either way. @default 0.9 */
  maxLengthCorrelation?: number | undefined;
  /** Groups in which all members said the same. @default 1 */
  maxIdenticalGroups?: number | undefined;
  /** Temperature that answers were to be sampled with. @default not checked; several values in one run are reported */
  temperature?: number | undefined;
  /** `top_p` that answers were to be sampled with. @default not checked; several values in one run are reported */
  topP?: number | undefined;
  /** Newest weights less oldest within a rollout. @default not checked */
  maxVersionLag?: number | undefined;
  /** Share of rollouts that the infrastructure failed: `lost`, `throttled`, `infra_error`, `timeout`, `rejected`, `invalid_result`. @default 0.05 */
  maxInfrastructureShare?: number | undefined;
  /** Share of rollouts that ended as `agent_error`. @default 0.2 */
  maxAgentErrorShare?: number | undefined;
}

const share = aNumber({ min: 0, max: 1 });
const count = aNumber({ min: 1, integer: true });

const rules = {
  purpose: optional(oneOf('evaluation', 'training'), 'evaluation'),
  minRollouts: optional(count, 8),
  minToolCalls: optional(count, 8),
  maxToolErrorShare: optional(share, 0.9),
  maxBrokenToolCallShare: optional(share, 0.05),
  maxFailedCallShare: optional(share, 0.05),
  maxIncompleteShare: optional(share, 0),
  minTrainedShare: optional(share, 0.9),
  maxCutOffShare: optional(share, 0.1),
  maxHollowShare: optional(share, 0),
  maxEqualGroupShare: optional(share, 0.5),
  rewardRange: optional(
    custom<readonly [number, number]>('two numbers, the least and the greatest', isRange),
  ),
  maxLengthCorrelation: optional(share, 0.9),
  maxIdenticalGroups: optional(aNumber({ min: 0, integer: true }), 1),
  temperature: optional(aNumber({ min: 0 })),
  topP: optional(share),
  maxVersionLag: optional(aNumber({ min: 0, integer: true })),
  maxInfrastructureShare: optional(share, 0.05),
  maxAgentErrorShare: optional(share, 0.2),
} satisfies OptionRules<HealthOptions>;

export type HealthThresholds = ReadOptions<typeof rules>;

/** Names of the options that are numbers, with their defaults, for command lines. */
export function healthDefaults(): HealthThresholds {
  return readHealthOptions({});
}

/** @throws ArtError `ART_INVALID_OPTION` */
export function readHealthOptions(options: HealthOptions): HealthThresholds {
  return readOptions('checkHealth', options, rules);
}

function isRange(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length === 2 &&
    value.every((bound) => typeof bound === 'number' && !Number.isNaN(bound)) &&
    value[0] <= value[1]
  );
}
