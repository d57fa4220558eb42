import { ArtError } from '@art/protocol';

/** Somebody asked for what nobody captured. */
export function noGateway(): ArtError {
  return new ArtError({
    code: 'ART_INVALID_OPTION',
    message:
      'Expected `gateway` to say which gateway captures the model calls, got undefined. Give it, or do without trajectories and rows.',
  });
}
