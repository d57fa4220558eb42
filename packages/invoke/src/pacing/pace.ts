/** How a rate is cut into grants: `callsPerGrant` calls every `intervalMs`. */
export interface Pace {
  intervalMs: number;
  callsPerGrant: number;
}

/**
 * The quota is a limit at the service, while calls are timed here: timers fire late and connections differ in speed, which
 * moves calls closer together. With 2 % in hand any second at the service holds at most the rate, give or take one grant.
 */
export const paceHeadroom = 1.02;

// A bottleneck job costs two `setTimeout(0)` in series, so one limiter starts no more than about 430 jobs a second,
// whatever rate it is given. One job therefore stands for all calls of about 10 ms: 100 jobs a second carry any rate,
// a session budget of 25 per second still gets a job of its own for each call, and no private member of bottleneck
// is touched. The other ways out, shards or replacing its private `yieldLoop`, need more CPU or break silently.
const localGrantMs = 10;

// Through Redis a grant costs several round trips, and all processes together share them.
const redisGrantMs = 20;

/** Cuts a rate, in calls per second, into grants for one process. */
export function localPace(callsPerSecond: number): Pace {
  return paceOf(callsPerSecond, localGrantMs);
}

/** Cuts a rate into grants that processes share through Redis. */
export function redisPace(callsPerSecond: number): Pace {
  const { intervalMs, callsPerGrant } = paceOf(callsPerSecond, redisGrantMs);
  // Bottleneck's scripts add the interval to an expiry time, which Redis takes in whole milliseconds only.
  return { intervalMs: Math.ceil(intervalMs), callsPerGrant };
}

// A late timer of one process is no reason for another to wait, so what is kept in hand has to cover it.
const lonelySecondMs = 1_100;

/**
 * Time between the grants of one of `processes` processes that do not hear of each other. Their seconds are not in step, so
 * each keeps to what goes into every second completely: 25 per second among 3 are 8 each, not 8.33, or some
 * second would hold 27. Below one grant per second there is nothing to round and only the mean is kept.
 */
export function lonelyIntervalMs(callsPerSecond: number, pace: Pace, processes: number): number {
  const grantsPerSecond = callsPerSecond / processes / pace.callsPerGrant;
  return lonelySecondMs / (grantsPerSecond < 1 ? grantsPerSecond : Math.floor(grantsPerSecond));
}

function paceOf(callsPerSecond: number, grantMs: number): Pace {
  const callsPerGrant = Math.max(1, Math.floor((callsPerSecond * grantMs) / 1000));
  return { callsPerGrant, intervalMs: (callsPerGrant * 1000 * paceHeadroom) / callsPerSecond };
}
