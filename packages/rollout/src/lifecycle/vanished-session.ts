import { ArtError, type RolloutOutcome } from '@art/protocol';

/** The outcome of a rollout whose session took the work and is gone by itself. */
export function vanishedSession(sessionId: string, cause: unknown): RolloutOutcome {
  return {
    kind: 'lost',
    error: new ArtError({
      code: 'ART_ROLLOUT_LOST',
      message: `Session ${sessionId} ended without storing a result. Its log tells why: a crash, a kill, or a result that could not be stored.`,
      cause,
    }),
  };
}
