/** Where a budget gets its permission to start calls from: evenly paced, one grant at a time. */
export interface GrantSource {
  /** Permission of one grant, and its term: void unless used within `intervalMs`. */
  readonly pace: Pace;
  /** Resolves when the next grant is due. Called again only after it has resolved; never rejects. */
  next(): Promise<void>;
  /** Frees what the source holds; a grant that is still waited for may then never come. */
  close(): void;
}

/** How a rate is cut into grants: `callsPerGrant` calls every `intervalMs`. */
export interface Pace {
  intervalMs: number;
  callsPerGrant: number;
}

// The quota is a limit at the service, while calls are timed here: timers fire late and connections differ in speed, which
// moves calls closer together. With 2 % in hand any second at the service holds at most the rate, give or take one grant.
const headroom = 1.02;

/**
 * Cuts a rate into grants, 2 % below it: each lets all calls of about `grantMs` start, and at least one.
 * @param grantMs smallest time between two grants of a high rate
 */
export function paceOf(callsPerSecond: number, grantMs: number): Pace {
  const callsPerGrant = Math.max(1, Math.floor((callsPerSecond * grantMs) / 1000));
  return { callsPerGrant, intervalMs: (callsPerGrant * 1000 * headroom) / callsPerSecond };
}
