import { type Clock, growingPauseMs, retryPatiently } from '@art/ground';
import { isGatewayOutage } from '@art/rollout';

// A minute, which is what a rollout waits for its session at a gateway.
const tries = 18;
const pauses = { firstMs: 250, longestMs: 5_000, jitter: 1 };

/** Asks a gateway again while it is down or overloaded: one that was killed comes back, and must not end a run. */
export function outlastGateway<T>(
  work: () => Promise<T>,
  { signal, clock }: { signal?: AbortSignal | undefined; clock?: Clock | undefined },
): Promise<T> {
  return retryPatiently(work, {
    isRetryable: isGatewayOutage,
    pauseMs: (failures) => growingPauseMs(failures, pauses),
    tries,
    signal,
    clock,
  });
}
