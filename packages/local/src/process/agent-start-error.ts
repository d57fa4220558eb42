import { ArtError } from '@art/protocol';
import type { ProcessExit } from './guarded-process.ts';
import { describeOutput, type SessionLog } from './session-log.ts';

/** An agent's process did not become healthy; the message ends with its last output. */
export class AgentStartError extends ArtError {
  readonly log: SessionLog;
  /** How the process ended by itself; undefined where it was not that. */
  readonly exit: ProcessExit | undefined;

  constructor(why: string, log: SessionLog, { exit, cause }: { exit?: ProcessExit; cause?: unknown } = {}) {
    super({ code: 'ART_SESSION_START_FAILED', message: `${why} ${describeOutput(log)}`, cause });
    this.log = log;
    this.exit = exit;
  }
}
