import { type Trace, buildTrajectory, type TrajectoryOptions } from '@art/trajectories';
import type { TrajectoryEntry } from './trajectory-entries.ts';

/** What can be said of a trajectory at any time. */
export interface TrajectoryStatus {
  sessionId: string;
  state: 'open' | 'finishing' | 'finished';
  /** Answers so far, of every choice. */
  turns: number;
  /** Turns from which nothing goes on: 1 for a conversation that never forked. */
  leaves: number;
  /** Calls under way. */
  inFlight: number;
  promptTokens: number;
  completionTokens: number;
  /** Turns whose capture is not complete, and which do not train. */
  incompleteTurns: number;
  rolloutId: string;
  groupId: string | null;
  /** Milliseconds since the Unix epoch. */
  createdAtMs: number;
  maxTurns: number | undefined;
  maxContextTokens: number | undefined;
  metadata: Readonly<Record<string, unknown>>;
}

export interface StatusParts {
  entry: TrajectoryEntry;
  state: TrajectoryStatus['state'];
  traces: readonly Trace[];
  inFlight: number;
  options: TrajectoryOptions;
}

export function describeTrajectory(parts: StatusParts): TrajectoryStatus {
  const { init, createdAtMs } = parts.entry;
  const { summary } = buildTrajectory(parts.traces, parts.options);
  return {
    sessionId: init.sessionId,
    state: parts.state,
    turns: parts.traces.length,
    leaves: summary.leaves,
    inFlight: parts.inFlight,
    promptTokens: parts.traces.reduce((sum, trace) => sum + trace.promptTokenIds.length, 0),
    completionTokens: summary.sampledTokens,
    incompleteTurns: parts.traces.filter((trace) => trace.capture !== 'complete').length,
    rolloutId: init.rolloutId ?? init.sessionId,
    groupId: init.groupId ?? null,
    createdAtMs,
    maxTurns: init.maxTurns,
    maxContextTokens: init.maxContextTokens,
    metadata: init.metadata ?? {},
  };
}
