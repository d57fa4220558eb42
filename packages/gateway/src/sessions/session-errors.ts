import { ArtError } from '@art/protocol';

export function sessionNotFound(sessionId: string): ArtError {
  return new ArtError({
    code: 'ART_GATEWAY_SESSION_UNKNOWN',
    message: `The gateway knows no session ${JSON.stringify(sessionId)}, or it was dropped.`,
  });
}

export function sessionGone(sessionId: string): ArtError {
  return new ArtError({
    code: 'ART_GATEWAY_SESSION_GONE',
    message: `The session ${JSON.stringify(sessionId)} was finished, and neither its rows nor its traces are kept any more.`,
  });
}

export function sessionConflict(sessionId: string, state: string): ArtError {
  return new ArtError({
    code: 'ART_GATEWAY_SESSION_EXISTS',
    message: `The session ${JSON.stringify(sessionId)} exists already and is ${state}. Use another id, or drop it first.`,
  });
}
