import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { refusedCaller } from '@art/ground';
import { cannotParse, ServiceFault } from '../service/service-fault.ts';

/**
 * Nothing here asks for credentials.
 * @throws ServiceFault 403
 */
export function refuseWebPages(request: IncomingMessage): void {
  const refusal = refusedCaller(request, { host: '127.0.0.1' });
  if (refusal !== undefined)
    throw new ServiceFault({ type: 'AccessDeniedException', message: refusal.message });
}

/**
 * `content-encoding` never reaches a container, so its agent would take compressed bytes for the payload; and to unpack them
 * here would let a small request fill the memory.
 * @throws ServiceFault 400
 */
export function refuseEncodedBody(headers: IncomingHttpHeaders): void {
  const encoding = headers['content-encoding'];
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return;
  throw cannotParse(
    `Expected a payload without content-encoding, got ${JSON.stringify(encoding.slice(0, 80))}. Send it uncompressed`,
  );
}
