import type { TrainingSteps } from './training-steps.ts';

/** The data to find a session again after a crash. It is written before the session is created. It holds no secret. */
export interface SessionRecord {
  /** The service's `name`: `sagemaker`, `tinker`, `local`. */
  readonly service: string;
  /** Chosen by the loop, unique: 1 to 63 letters, digits and single hyphens. */
  readonly name: string;
  /** The service's `place`, and what the service said about the session. */
  readonly place: Readonly<Record<string, string>>;
}

export interface TrainingSessionRequest {
  /** As in the session's record, which is written already. */
  readonly name: string;
  /** Adds what only the service knows to the session's record: an id that it gave. Resolves when that is on the disk. */
  note(facts: Readonly<Record<string, string>>): Promise<void>;
  /** Ends the waiting for a session that does not become ready; what was created is stopped. */
  readonly signal?: AbortSignal | undefined;
}

/** A service that makes training steps, or a machine that does. What a driver implements. */
export interface TrainingService {
  readonly name: string;
  /** Where its sessions are: a region, an address. No secrets. */
  readonly place: Readonly<Record<string, string>>;
  /** Creates a session and waits until it takes operations. A session that does not become ready is stopped before this rejects. */
  open(session: TrainingSessionRequest): Promise<TrainingSteps>;
  /** `running` where it may cost money. */
  state(session: SessionRecord, signal?: AbortSignal): Promise<'running' | 'ended' | 'unknown'>;
  /** Ends a session of this or another process, also one that was never created. Idempotent. */
  stop(session: SessionRecord, signal?: AbortSignal): Promise<void>;
}
