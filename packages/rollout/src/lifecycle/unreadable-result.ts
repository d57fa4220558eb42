import { ArtError, type RolloutOutcome } from '@art/protocol';
import type { ResultLocation } from '@art/store';

/** What a result means that was noticed and could not be read for so long. */
export function unreadableResult(at: ResultLocation, giveUpMs: number, error: unknown): RolloutOutcome {
  return {
    kind: 'invalid_result',
    text: '',
    error: new ArtError({
      code: 'ART_STORE_FAILED',
      message: `The result ${JSON.stringify(at.key)} was seen in bucket ${JSON.stringify(at.bucket)} but could not be read for ${giveUpMs} ms: ${(error as Error).message}`,
      cause: error,
    }),
  };
}
