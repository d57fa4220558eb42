import { ArtError } from '@art/protocol';
import { describeOutput, type SessionLog } from './session-log.ts';
import { describeExit, type ProcessExit } from './guarded-process.ts';

/** Why an agent did not become healthy. */
export type AgentStartFailure =
  | { kind: 'exited'; exit: ProcessExit; elapsedMs: number }
  | { kind: 'timeout'; initTimeoutMs: number; lastPing: string }
  | { kind: 'spawn'; cause: unknown };

/** An agent's process did not become healthy; the message ends with its last output. */
export class AgentStartError extends ArtError {
  readonly failure: AgentStartFailure;
  readonly log: SessionLog;

  constructor(failure: AgentStartFailure, log: SessionLog) {
    super({
      code: 'ART_SESSION_START_FAILED',
      message: `${describeFailure(failure)} ${describeOutput(log)}`,
      cause: failure.kind === 'spawn' ? failure.cause : undefined,
    });
    this.failure = failure;
    this.log = log;
  }
}

function describeFailure(failure: AgentStartFailure): string {
  switch (failure.kind) {
    case 'exited':
      return `The agent's process ${describeExit(failure.exit)} after ${Math.round(failure.elapsedMs)} ms, before GET /ping answered 200 on its PORT.`;
    case 'timeout':
      return `GET /ping on the agent's PORT did not answer 200 within ${failure.initTimeoutMs} ms (${failure.lastPing}). The agent must listen on the port in the environment variable PORT.`;
    case 'spawn':
      return `The agent's process could not be started: ${failure.cause instanceof Error ? failure.cause.message : String(failure.cause)}. Check command and cwd.`;
  }
}
