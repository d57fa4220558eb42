import type { Trajectory } from '@art/trajectories';

/** With what a trajectory is finished. */
export interface FinishRequest {
  /** @default null: unknown, which is not 0 */
  reward?: number | null | undefined;
  /** Over what the trajectory was created with. */
  rolloutId?: string | undefined;
  /** Over what the trajectory was created with. */
  groupId?: string | null | undefined;
  /** Goes into the metadata of every row, over that of the trajectory. */
  metadata?: Readonly<Record<string, unknown>> | undefined;
}

/** Result of a finished trajectory. */
export interface FinishedSession extends Trajectory {
  sessionId: string;
  /** Calls that were still under way when the wait for them ended; what they bring is not in the rows. */
  unfinishedCalls: number;
  /** Calls whose prompt left no room for an answer, since the gateway has started. */
  contextFull: number;
  /**
   * Calls that brought an error instead of an answer, or broke off in it, without those of a full context and those whose agent left.
   * Undefined where a part of the session was before the gateway has started.
   */
  failedCalls: number | undefined;
  /** Calls whose agent left before their answer ended: it gave up, or was stopped. Undefined as `failedCalls`. */
  abandonedCalls: number | undefined;
}

/** How a trajectory was finished: its rows are made of this and its first so many captures, as often as they are asked for. */
export interface StoredFinish {
  request: FinishRequest;
  /** Number of captures that belong to it; later ones do not. */
  captureCount: number;
  unfinishedCalls: number;
  /** Calls whose prompt left no room for an answer. @default 0 */
  contextFull?: number | undefined;
  failedCalls?: number | undefined;
  abandonedCalls?: number | undefined;
}

export interface FinishedState extends StoredFinish {
  kind: 'finished';
}

/**
 * Where a session stands. A trajectory that was `dropped` stays known for a while, so that further calls of its agent are refused.
 */
export type CaptureSessionState =
  | { kind: 'open'; turnsTaken: number }
  | { kind: 'finishing'; turnsTaken: number; result: Promise<FinishedSession> }
  | FinishedState
  | { kind: 'dropped' };

export type CaptureSessionEvent =
  | { event: 'turn' }
  /** A turn that was counted came to nothing. */
  | { event: 'turn_failed' }
  | { event: 'finish'; result: Promise<FinishedSession> }
  | ({ event: 'built' } & StoredFinish)
  | { event: 'failed' }
  | { event: 'drop' };

/** The state after an event. Events that do not belong to a state leave it as it is. */
export function nextState(state: CaptureSessionState, event: CaptureSessionEvent): CaptureSessionState {
  switch (event.event) {
    case 'turn':
      return state.kind === 'open' ? { kind: 'open', turnsTaken: state.turnsTaken + 1 } : state;
    case 'turn_failed':
      return state.kind === 'open' ? { kind: 'open', turnsTaken: Math.max(0, state.turnsTaken - 1) } : state;
    case 'finish':
      return state.kind === 'open' ? { ...state, kind: 'finishing', result: event.result } : state;
    case 'built': {
      const { event: _event, ...finish } = event;
      return state.kind === 'finishing' ? { kind: 'finished', ...finish } : state;
    }
    case 'failed':
      // What failed was the store; it can be asked again.
      return state.kind === 'finishing' ? { kind: 'open', turnsTaken: state.turnsTaken } : state;
    case 'drop':
      return { kind: 'dropped' };
  }
}

/** Why a session takes no call, for the answer to the agent. */
export interface TurnRefusal {
  status: 409 | 410 | 429;
  type: string;
  message: string;
}

/** Judges a call that comes in now. Undefined where nothing is against it. */
export function refuseTurn(
  sessionId: string,
  state: CaptureSessionState,
  maxTurns: number | undefined,
): TurnRefusal | undefined {
  const name = JSON.stringify(sessionId);
  switch (state.kind) {
    case 'open':
      if (maxTurns === undefined || state.turnsTaken < maxTurns) return undefined;
      return {
        status: 429,
        type: 'rate_limit_error',
        message: `The session ${name} has taken all of its ${maxTurns} turns.`,
      };
    case 'finishing':
      return {
        status: 409,
        type: 'session_closed',
        message: `The session ${name} is being finished and takes no further turns.`,
      };
    case 'finished':
    case 'dropped':
      return {
        status: 410,
        type: 'session_closed',
        message: `The session ${name} is ${state.kind} and takes no further turns. Create another one.`,
      };
  }
}
