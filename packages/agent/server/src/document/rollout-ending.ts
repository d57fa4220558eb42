import { ArtError, describeThrown } from '@art/ground';
import type { InfrastructureFailure } from '../infrastructure/infrastructure-failure.ts';

/**
 * The ending of a rollout. The first of these that happens decides its document.
 * - `returned`, `threw`: the handler ended.
 * - `infrastructure`: the handler threw because of a failure of the infrastructure.
 * - `timed_out`: it ran longer than `maxRolloutMs`.
 * - `terminated`: its process is being stopped.
 * - `crashed`: its process goes down because of an uncaught error.
 */
export type RolloutEnding = ReturnedEnding | RolloutFailure;

export interface ReturnedEnding {
  kind: 'returned';
  value: unknown;
  /**
   * Why the model endpoint could not be reached from here, where no request of this process says otherwise. A program that the handler started may have
   * reached it all the same: anyone who captures its calls knows.
   */
  unreachable?: string | undefined;
  /** The prompts that the handler asked for, by name, where the rollout replaces prompts. */
  prompts?: Record<string, string> | undefined;
}

export type RolloutFailure =
  | { kind: 'threw' | 'timed_out' | 'terminated' | 'crashed'; error: unknown }
  | { kind: 'infrastructure'; error: unknown; failure: InfrastructureFailure };

/** Reason of the signal of a rollout that ran too long. */
export function rolloutTimeout(maxRolloutMs: number): ArtError {
  return new ArtError({
    code: 'ART_ROLLOUT_TIMEOUT',
    message: `The rollout took longer than maxRolloutMs, ${maxRolloutMs} ms; its handler was asked to stop and its session is free.`,
  });
}

/** Reason of the signals of rollouts whose process is being stopped. */
export function rolloutTermination(): ArtError {
  return new ArtError({
    code: 'ART_SESSION_TERMINATED',
    message: 'The agent process is being stopped before the rollout has finished.',
  });
}

/**
 * The error that a rollout reports when its process goes down because of an uncaught error.
 * @param isOwn true if the error came out of this rollout; undefined where that is not known
 */
export function strayError(error: unknown, isOwn: boolean | undefined): unknown {
  if (isOwn === true) return error;
  const text = describeThrown(error).message;
  return new ArtError({
    code: 'ART_SESSION_TERMINATED',
    message:
      isOwn === false
        ? `The agent process went down because of an error that another rollout did not catch: ${text}`
        : `The agent process went down because of an error that nobody caught: ${text}`,
    cause: error,
  });
}
