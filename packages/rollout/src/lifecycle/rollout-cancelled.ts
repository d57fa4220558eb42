import { ArtError } from '@art/protocol';

/** What a rollout that its caller ended is told. */
export function rolloutCancelled(cause: unknown): ArtError {
  return new ArtError({
    code: 'ART_ROLLOUT_CANCELLED',
    message: 'The rollout was cancelled by its caller.',
    cause,
  });
}
