import type { TrajectoryState } from './trajectory-state.ts';

/** Whether a call may be made in a session; of a refusal, what the agent is to be told. */
export type TurnAdmission =
  | {
      kind: 'admitted';
      /** Longest context, prompt and answer together; for the proxy to keep. */
      maxContextTokens: number | undefined;
      /** Sampling parameters for calls that do not say otherwise. */
      samplingDefaults: Readonly<Record<string, unknown>>;
    }
  | { kind: 'refused'; status: 409 | 410 | 429; type: string; message: string };

/** Judges a call that comes in now. Undefined where nothing is against it. */
export function refuseTurn(
  sessionId: string,
  state: TrajectoryState,
  maxTurns: number | undefined,
): Extract<TurnAdmission, { kind: 'refused' }> | undefined {
  const name = JSON.stringify(sessionId);
  switch (state.kind) {
    case 'open':
      if (maxTurns === undefined || state.turnsTaken < maxTurns) return undefined;
      return {
        kind: 'refused',
        status: 429,
        type: 'rate_limit_error',
        message: `The session ${name} has taken all of its ${maxTurns} turns.`,
      };
    case 'finishing':
      return {
        kind: 'refused',
        status: 409,
        type: 'session_closed',
        message: `The session ${name} is being finished and takes no further turns.`,
      };
    case 'finished':
    case 'dropped':
      return {
        kind: 'refused',
        status: 410,
        type: 'session_closed',
        message: `The session ${name} is ${state.kind} and takes no further turns. Create another one.`,
      };
  }
}
