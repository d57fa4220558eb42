import { ArtError } from '@art/ground';
import type { ProcessExit } from './guarded-process.ts';
import { startFailureReason } from './start-failure-reason.ts';
import { describeOutput, type SessionLog } from './session-log.ts';

// Node's traces of errors of its loader are long.
const searchedLines = 100;

/** An agent's process did not become healthy; the message begins with its last error and ends with its last output. */
export class AgentStartError extends ArtError {
  readonly log: SessionLog;
  /** How the process ended by itself; undefined where it was not that. */
  readonly exit: ProcessExit | undefined;

  constructor(why: string, log: SessionLog, { exit, cause }: { exit?: ProcessExit; cause?: unknown } = {}) {
    const reason = startFailureReason(log.tail(searchedLines));
    const message = `${reason === undefined ? '' : `${reason} `}${why} ${describeOutput(log)}`;
    super({ code: 'ART_SESSION_START_FAILED', message, cause });
    this.log = log;
    this.exit = exit;
  }
}
