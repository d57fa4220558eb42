import { readStoredTrajectory } from './stored-trajectory.ts';

/** What a session's trajectory says of its calls. */
export interface CallLimits {
  /** Longest context, prompt and answer together. @default no bound */
  maxContextTokens: number | undefined;
  /** Sampling parameters for calls that do not say otherwise. */
  samplingDefaults: Readonly<Record<string, unknown>>;
}

const none: CallLimits = { maxContextTokens: undefined, samplingDefaults: {} };

/** Of a session that is no trajectory: none. */
export function callLimits(
  session: { sessionId: string; metadata: Readonly<Record<string, unknown>> } | undefined,
): CallLimits {
  if (session === undefined) return none;
  const { init } = readStoredTrajectory(session.sessionId, session.metadata);
  if (init === undefined) return none;
  return { maxContextTokens: init.maxContextTokens, samplingDefaults: init.samplingDefaults ?? {} };
}
