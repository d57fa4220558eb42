import { expect, it } from 'vitest';
import { runThrottledBatch } from './throttled-batch.ts';

it('a batch larger than every quota succeeds, each rollout sent to one container once', async () => {
  const rollouts = 30;
  const { outcomes, metrics } = await runThrottledBatch({
    rollouts,
    newSessionsPerSecond: 25,
    maxLiveSessions: 10,
    runMs: 1_500,
  });
  expect(outcomes).toEqual({ ok: rollouts });

  const { attempts, startedSessions, endedSessions, leakedSessions, liveSessions, peakLiveSessions } =
    metrics;
  expect(attempts.map((attempt) => attempt.delivered)).toEqual(attempts.map(() => 1));
  expect(attempts.map((attempt) => attempt.highestSdkAttempt)).toEqual(attempts.map(() => 1));
  expect({ sessions: attempts.length, startedSessions, stopped: endedSessions.stopped }).toEqual({
    sessions: rollouts,
    startedSessions: rollouts,
    stopped: rollouts,
  });
  expect({ leakedSessions, liveSessions, peakLiveSessions }).toEqual({
    leakedSessions: 0,
    liveSessions: 0,
    peakLiveSessions: 10,
  });
  // The quota was met and waited for, not avoided by luck.
  expect(metrics.faults.ServiceQuotaExceededException).toBeGreaterThan(0);
});
