import { ArtError, describeValue } from '@art/ground';

// Length: AgentCore's data-plane model (33 to 256). Alphabet: the pattern that its responses document.
const sessionIdPattern = /^[a-zA-Z0-9][a-zA-Z0-9_-]{32,255}$/;

/** True if AgentCore accepts a string as a session id. */
export function isSessionId(value: string): boolean {
  return sessionIdPattern.test(value);
}

/** @throws ArtError `ART_INVALID_SESSION_ID` */
export function assertSessionId(value: string): void {
  if (isSessionId(value)) return;
  throw new ArtError({
    code: 'ART_INVALID_SESSION_ID',
    message: `Expected a session id of 33 to 256 letters, digits, "-" and "_" that starts with a letter or digit, got ${describeValue(value)}. A UUID with its dashes fits.`,
  });
}
