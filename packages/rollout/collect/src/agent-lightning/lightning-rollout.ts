import { isJsonObject } from '@art/ground';

/** A rollout as the server of Agent Lightning 1.0 has it. */
export interface LightningRollout {
  id: string;
  state: string;
  /** The data of the task, as the trainer enqueued it. */
  input: unknown;
  mode: 'train' | 'val';
  /** Longest time from its beginning, in milliseconds; `Infinity` for no bound. */
  timeoutMs: number;
  /** The attempt whose events the trainer reads. */
  attemptId: string | undefined;
  /** When the server changed it last, in milliseconds since the Unix epoch. */
  updatedAtMs: number;
}

/** @returns undefined for what is no such rollout */
export function readLightningRollout(value: unknown): LightningRollout | undefined {
  if (!isJsonObject(value)) return undefined;
  const { rollout_id: id, input, is_train: isTrain, config, status } = value;
  if (typeof id !== 'string' || !isJsonObject(config) || !isJsonObject(status)) return undefined;
  const { state, last_attempt_id: attemptId, updated_at: updatedAt } = status;
  const { timeout_seconds: timeout } = config;
  if (typeof state !== 'string' || typeof updatedAt !== 'number' || typeof timeout !== 'number')
    return undefined;
  return {
    id,
    state,
    input,
    mode: isTrain === false ? 'val' : 'train',
    timeoutMs: timeout > 0 ? timeout * 1_000 : Infinity,
    attemptId: typeof attemptId === 'string' ? attemptId : undefined,
    updatedAtMs: updatedAt * 1_000,
  };
}

/** Names an attempt for ever: the controller's run, and the number of the attempt in it. */
export function attemptIdOf(runId: string, attempt: number): string {
  return `${runId}.${attempt}`;
}

/** An attempt of a run under which nothing was captured. */
export function emptyAttemptIdOf(runId: string): string {
  return `${runId}.none`;
}

/** The run that made the attempt of a rollout; the whole id where another controller made it. */
export function runIdOf({ attemptId = '' }: LightningRollout): string {
  return attemptId.replace(/\.(?:\d+|none)$/, '');
}
