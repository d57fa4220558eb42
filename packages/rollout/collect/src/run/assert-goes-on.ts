import { ArtError } from '@art/ground';
import type { RequestFolder } from '../keep/request-folder.ts';
import { type CollectRequest, requestDigest } from '../request/collect-request.ts';

/**
 * A request that is sent again under its id must be the same, and must have groups left.
 * @throws ArtError `ART_COLLECT_REQUEST_CHANGED`, `ART_COLLECT_CANCELLED`, `ART_COLLECT_ACKNOWLEDGED`
 */
export function assertGoesOn({ record, acknowledgedCount }: RequestFolder, request: CollectRequest): void {
  const { digest, state } = record;
  const id = JSON.stringify(record.requestId);
  if (digest !== requestDigest(request)) {
    throw new ArtError({
      code: 'ART_COLLECT_REQUEST_CHANGED',
      message: `Expected request ${id} to be as it was when it was first sent, got another one of that id. Send the same, or choose a new id.`,
    });
  }
  if (state === 'cancelled') {
    throw new ArtError({
      code: 'ART_COLLECT_CANCELLED',
      message: `Request ${id} was cancelled. Choose a new id.`,
    });
  }
  if (state === 'done' && acknowledgedCount > 0) {
    throw new ArtError({
      code: 'ART_COLLECT_ACKNOWLEDGED',
      message: `Every group of request ${id} was acknowledged, and none comes again. Start the trainer from the checkpoint that has them, or choose another request_id (another name of the run).`,
    });
  }
}
