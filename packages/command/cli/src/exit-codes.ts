import type { RolloutOutcome, RolloutOutcomeKind } from '@art/protocol';

/** Exit codes of the process; scripts may rely on the numbers. */
export const exitCodes = {
  /** The rollout is `ok`, or all of a batch are; `art dev` and `art gateway` were ended by a signal and left nothing behind. */
  ok: 0,
  /** A bug in this program; the stack is on stderr. */
  internal: 1,
  /** A threshold of `art eval` is not reached, or a run is worse than the one it was compared with: what CI expects. */
  belowThreshold: 1,
  /** The command line or the payload is wrong; nothing was sent. */
  usage: 2,
  /**
   * Exit code where something that is needed is not there: no `art dev`, a port that is taken, a store or a runtime that does not answer, a
   * run that another process holds, a session that could not be stopped.
   */
  infrastructure: 3,
  agentError: 10,
  timeout: 11,
  lost: 12,
  throttled: 13,
  rejected: 14,
  invalidResult: 15,
  /** A batch has ended, and not every one of its rollouts is `ok`; or it has not, and can be resumed. */
  someFailed: 16,
  infraError: 17,
  /** `art doctor` has found faults, or `art deploy` an agent that cannot be deployed as it is. */
  faultsFound: 18,
  /** A rollout wanted more than its ceiling, or that of its run, allows. */
  ceiling: 19,
  /** Ctrl-C, where that is not the ordinary end; other signals give 128 and their number. */
  interrupted: 130,
} as const;

const byOutcome: Record<RolloutOutcomeKind, number> = {
  ok: exitCodes.ok,
  agent_error: exitCodes.agentError,
  ceiling: exitCodes.ceiling,
  infra_error: exitCodes.infraError,
  timeout: exitCodes.timeout,
  lost: exitCodes.lost,
  throttled: exitCodes.throttled,
  rejected: exitCodes.rejected,
  invalid_result: exitCodes.invalidResult,
  cancelled: exitCodes.interrupted,
};

/** True if the ceiling of the run has cut a rollout off. */
export function isCeiling(outcome: RolloutOutcome): boolean {
  return outcome.kind === 'cancelled' && outcome.error.code === 'ART_RUN_CEILING_REACHED';
}

export function exitCodeOfOutcome(kind: RolloutOutcomeKind): number {
  return byOutcome[kind];
}
