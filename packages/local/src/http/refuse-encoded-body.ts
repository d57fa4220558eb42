import type { IncomingHttpHeaders } from 'node:http';
import { ServiceFault } from '../service/service-fault.ts';

/**
 * `content-encoding` never reaches a container, so its agent would take compressed bytes for the payload; and to unpack them
 * here would let a small request fill the memory.
 * @throws ServiceFault 400
 */
export function refuseEncodedBody(headers: IncomingHttpHeaders): void {
  const encoding = headers['content-encoding'];
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return;
  throw new ServiceFault({
    type: 'ValidationException',
    reason: 'CannotParse',
    message: `Expected a payload without content-encoding, got ${JSON.stringify(encoding.slice(0, 80))}. Send it uncompressed`,
  });
}
