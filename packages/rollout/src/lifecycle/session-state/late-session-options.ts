import { checkNumber, refuseOption } from '../../check-option.ts';

/** How sessions that take long are asked whether they still live. */
export interface LateSessionOptions {
  /**
   * From when on a rollout counts as late while too few have finished to know how long they take, in milliseconds. Later
   * the 95th percentile of the last 1,000 durations counts. @default 60_000
   */
  lateAfterMs?: number | undefined;
  /** Pause between two questions to one session, in milliseconds. @default 20_000 */
  askAgainMs?: number | undefined;
  /** Most questions a second, over all sessions. They are data-plane calls. @default 5 */
  questionsPerSecond?: number | undefined;
}

/** The options with every default filled in. */
export type LateSessionRules = { [Name in keyof LateSessionOptions]-?: number };

/** @throws ArtError `ART_INVALID_OPTION` */
export function resolveLateSessionOptions(options: LateSessionOptions | false | undefined): LateSessionRules {
  const given: LateSessionOptions = options === false || options === undefined ? {} : options;
  if (typeof given !== 'object' || given === null)
    refuseOption('lateSessions', 'an object or false', options);
  const { lateAfterMs = 60_000, askAgainMs = 20_000, questionsPerSecond = 5, ...others } = given;
  const rules = { lateAfterMs, askAgainMs, questionsPerSecond };
  for (const [name, value] of Object.entries(others))
    refuseOption(`lateSessions.${name}`, `left out (there are ${Object.keys(rules).join(', ')})`, value);
  for (const [name, value] of Object.entries(rules)) checkNumber(`lateSessions.${name}`, value, { above: 0 });
  return rules;
}
