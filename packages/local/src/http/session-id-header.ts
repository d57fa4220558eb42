import { randomUUID } from 'node:crypto';
import { isSessionId, runtimeHeaders } from '@art/protocol';
import { ServiceFault } from '../service/service-fault.ts';

/**
 * The session a request names; a new one where it names none.
 * @throws ServiceFault 400 for an id that the service would refuse.
 */
export function sessionIdOf(header: string | string[] | undefined): string {
  if (header === undefined) return randomUUID();
  return requireSessionId(header);
}

/** The session a request names, where there has to be one. */
export function requireSessionId(header: string | string[] | undefined): string {
  if (typeof header === 'string' && isSessionId(header)) return header;
  throw new ServiceFault({
    type: 'ValidationException',
    reason: 'FieldValidationFailed',
    message:
      `Value at '${runtimeHeaders.sessionId}' failed to satisfy constraint: expected 33 to 256 letters, digits, "-" and "_" ` +
      `that start with a letter or digit, got ${header === undefined ? 'no header' : JSON.stringify(header)}`,
  });
}
