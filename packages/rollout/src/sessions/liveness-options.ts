import { type AgentRuntime, checkNumber, checkOptionNames, refuseOption } from '@art/protocol';

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

/** The options with every default filled in. */
export type LivenessRules = { [Name in keyof LivenessOptions]-?: number };

/** @throws ArtError `ART_INVALID_OPTION` */
export function resolveLivenessOptions(
  options: LivenessOptions | false | undefined,
  { isLocal = false }: Pick<AgentRuntime, 'isLocal'> = {},
): LivenessRules {
  const given: LivenessOptions = options === false || options === undefined ? {} : options;
  if (typeof given !== 'object' || given === null) refuseOption('liveness', 'an object or false', options);
  const pauseMs = isLocal ? 1_000 : 10_000;
  const { firstAfterMs = pauseMs, everyMs = pauseMs, callsPerSecond = 50 } = given;
  const rules = { firstAfterMs, everyMs, callsPerSecond };
  checkOptionNames('liveness', given, Object.keys(rules));
  for (const [name, value] of Object.entries(rules)) checkNumber(`liveness.${name}`, value, { above: 0 });
  return rules;
}
