import { type PingObservation, pingAgent } from '../process/ping-agent.ts';
import { pause } from '@art/async';

export interface PingLoopOptions {
  port: number;
  intervalMs: number;
  signal: AbortSignal;
  /** Whether a ping is to get lost on its way; the agent does not see it. */
  isLost?: (() => boolean) | undefined;
  /** A monotonic clock. */
  nowMs: () => number;
  /** @param sentAtMs when the ping was sent */
  onPing: (observation: PingObservation, sentAtMs: number) => void;
}

const longestPingMs = 2_000;

/** Pings until the signal aborts. The next ping waits for the one before, so they never pile up on a blocked agent. */
export async function runPingLoop({
  port,
  intervalMs,
  signal,
  isLost,
  nowMs,
  onPing,
}: PingLoopOptions): Promise<void> {
  while (!signal.aborted) {
    await pause(intervalMs, { signal }).catch(() => {});
    if (signal.aborted) return;
    const sentAtMs = nowMs();
    const observation: PingObservation =
      isLost?.() === true
        ? { kind: 'failed', why: 'lost on purpose' }
        : await pingAgent(port, longestPingMs, signal);
    if (!signal.aborted) onPing(observation, sentAtMs);
  }
}
