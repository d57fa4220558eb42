import type { Trace } from '@art/trajectories';

/** What trajectories need of the trace store and of the sessions beside it. */
export interface TrajectoryStore {
  createSession(init: {
    sessionId: string;
    metadata?: Readonly<Record<string, unknown>> | undefined;
  }): Promise<unknown>;
  session(sessionId: string): Promise<
    | {
        readonly createdAtMs: number;
        readonly metadata: Readonly<Record<string, unknown>>;
        readonly finished: boolean;
        readonly traceCount: number;
      }
    | undefined
  >;
  /** In the order in which they were stored. */
  tracesOf(sessionId: string): Promise<readonly Trace[]>;
  /** Replaces the metadata of a session; does nothing for one that was deleted. */
  noteFinish(sessionId: string, metadata: Readonly<Record<string, unknown>>): Promise<unknown>;
  /** Marks the session as one that may make room. */
  finishSession(sessionId: string): Promise<unknown>;
  /** Deletes the session and sees to it that late traces do not bring it back; how many traces there were. */
  deleteSession(sessionId: string): Promise<number>;
}

/** The calls that are under way. */
export interface SessionCalls {
  countOf(sessionId: string): number;
  /** Waits until no call of the session is under way; false if that took too long. */
  sessionIdle(sessionId: string, timeoutMs: number): Promise<boolean>;
  /** Makes the calls of a session end soon. */
  cancelSession(sessionId: string): void;
}
