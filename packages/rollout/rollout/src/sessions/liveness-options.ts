import { type AgentRuntime } from '@art/protocol';
import { aNumber, anObject, optional, type OptionRules } from '@art/ground';

/** How sessions whose results appear in a store are asked whether they still live. */
export interface LivenessOptions {
  /** Until a session is asked for the first time, in milliseconds. @default 10_000; 1_000 on this machine */
  firstAfterMs?: number | undefined;
  /**
   * Shortest pause from one question to the next, in milliseconds. Once durations are known, a tenth of the median, at most
   * 60 s, where that is longer. @default 10_000; 1_000 on this machine
   */
  everyMs?: number | undefined;
  /** Most questions a second, over all sessions. They are data-plane calls. @default 50 */
  callsPerSecond?: number | undefined;
}

const rules = {
  firstAfterMs: optional(aNumber({ above: 0 })),
  everyMs: optional(aNumber({ above: 0 })),
  callsPerSecond: optional(aNumber({ above: 0 })),
} satisfies OptionRules<LivenessOptions>;
const ifAsked = optional(anObject(rules), {});

/** The options with every default filled in. */
export type LivenessRules = { [Name in keyof LivenessOptions]-?: number };

/** Undefined where no session is asked. @throws ArtError `ART_INVALID_OPTION` */
export function resolveLivenessOptions(
  options: LivenessOptions | false | undefined,
  { isLocal = false }: Pick<AgentRuntime, 'isLocal'> = {},
): LivenessRules | undefined {
  if (options === false) return undefined;
  const pauseMs = isLocal ? 1_000 : 10_000;
  const {
    firstAfterMs = pauseMs,
    everyMs = pauseMs,
    callsPerSecond = 50,
  }: LivenessOptions = ifAsked(options, 'liveness');
  return { firstAfterMs, everyMs, callsPerSecond };
}
