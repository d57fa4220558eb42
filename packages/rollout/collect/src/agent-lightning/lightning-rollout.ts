import { isJsonObject } from '@art/ground';

/** A rollout as the server of Agent Lightning 1.0 has it. */
export interface LightningRollout {
  id: string;
  state: string;
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
  const { state, last_attempt_id: attempt, updated_at: updatedAt } = status;
  const { timeout_seconds: timeout } = config;
  if (typeof state !== 'string' || typeof updatedAt !== 'number' || typeof timeout !== 'number')
    return undefined;
  const mode = isTrain === false ? 'val' : 'train';
  const attemptId = typeof attempt === 'string' ? attempt : undefined;
  const timeoutMs = timeout > 0 ? timeout * 1_000 : Infinity;
  return { id, state, input, mode, timeoutMs, attemptId, updatedAtMs: updatedAt * 1_000 };
}

/** Names an attempt for ever, by its run. @param attempt `none`: one under which nothing is captured */
export function attemptIdOf(runId: string, attempt: number | 'none'): string {
  return `${runId}.${attempt}`;
}

/** The run that made the attempt of a rollout; empty where none did. */
export function runIdOf({ attemptId = '' }: LightningRollout): string {
  return attemptId.slice(0, Math.max(0, attemptId.lastIndexOf('.')));
}
