import { ArtError } from '@art/protocol';
import type { PastRollout } from '@art/journal';

/** The error of a rollout that an earlier process saw end. Its words were not kept, for they may have quoted a secret. */
export function recordedError({ sessionId, state }: PastRollout): ArtError {
  const code = (state.phase === 'settled' ? state.errorCode : undefined) ?? 'ART_ROLLOUT_CANCELLED';
  return new ArtError({
    code,
    message: `An earlier process saw this rollout end with ${code}. The journal keeps no more of it; the log of session ${sessionId} may.`,
  });
}
