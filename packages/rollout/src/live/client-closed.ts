import { ArtError } from '@art/protocol';

/** Somebody wants something of a client that was closed. */
export function clientClosed(): ArtError {
  return new ArtError({
    code: 'ART_CLIENT_CLOSED',
    message: 'Expected an open client, this one was closed. Make a new one.',
  });
}
