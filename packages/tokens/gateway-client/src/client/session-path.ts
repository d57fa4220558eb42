import { refuseOption } from '@art/ground';

/**
 * A session id as it stands in a path: slashes and colons stay, since gateways match them as they are.
 * @throws ArtError `ART_INVALID_OPTION` for ids that a URL cannot carry
 */
export function sessionRoute(sessionId: string): string {
  const isText = typeof sessionId === 'string' && sessionId !== '' && sessionId.isWellFormed();
  const segments = isText ? sessionId.split('/') : [];
  // URL parsers resolve dot segments, also encoded ones, and would send the call to another session.
  if (!isText || segments.some((segment) => ['', '.', '..'].includes(segment))) {
    refuseOption('sessionId', 'text without empty, "." or ".." parts between its slashes', sessionId);
  }
  return segments.map((segment) => encodeURIComponent(segment).replaceAll('%3A', ':')).join('/');
}
