import type { InjectedFault } from '@art/local/faults';
import type { JobEvent, JobRolloutEvent } from '../sagemaker/job-event.ts';

/** Events of `art dev`; with `--json` one a line, plus `atMs`, the milliseconds since 1970. */
export type DevEvent =
  | {
      event: 'ready';
      /** `http://127.0.0.1:PORT`, AgentCore's data plane and S3. */
      endpoint: string;
      agentRuntimeArn: string;
      bucket: string;
      region: string;
      /** Variables that an AWS SDK needs to get here. */
      environment: Record<string, string>;
      /** Where `{agent}/{sessionId}.log` is. */
      logDir: string;
      /** Watched files and folders. */
      watching: string[];
      /** Name of the fault plan's file, where there is one. */
      faults?: string | undefined;
      pid: number;
    }
  /** A line that a session wrote; `sessionId` is absent while the process has not become a session. */
  | { event: 'log'; sessionId?: string | undefined; line: string }
  | {
      event: 'session_started';
      sessionId: string;
      pid?: number | undefined;
      /** From its first request to a healthy process. */
      startMs?: number | undefined;
      /** True if it took a process that was ready. */
      warm?: boolean | undefined;
    }
  /** The agent did not get to answer its pings; told when it has, or its session has ended. */
  | { event: 'ping_waited'; sessionId: string; waitedMs: number }
  | {
      event: 'session_ended';
      sessionId: string;
      /** `stopped`, `idle`, `max_lifetime`, `unhealthy`, `exited`, `start_failed` or `closed`. */
      reason: string;
      /** How its process ended: "exited with code 1". */
      exit?: string | undefined;
    }
  /** State of an invocation that the agent has given by the Runtime Invocation Protocol, where it is news. */
  | { event: 'invocation'; sessionId: string; invocationId: string; status: string }
  /** Something that the fault plan made go wrong; the fields are those of `InjectedFault`. */
  | ({ event: 'fault' } & Omit<InjectedFault, 'atMs' | 'outcome'>)
  /** Files have changed; sessions were ended, and the next request runs the program as it is now. */
  | { event: 'restart'; files: string[]; endedSessions: number }
  /** Outcomes of rollouts, with `--sagemaker`. */
  | JobRolloutEvent
  | JobEvent
  | { event: 'notice'; message: string }
  /** Something failed and `art dev` continues. Also the last line, without `atMs`, where it cannot start. */
  | { event: 'error'; code: string; message: string }
  | { event: 'stopping'; liveSessions: number }
  | { event: 'stopped' };
