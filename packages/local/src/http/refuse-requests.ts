import type { IncomingHttpHeaders } from 'node:http';
import { isLoopbackHost } from '@art/local-s3';
import { cannotParse, ServiceFault } from '../service/service-fault.ts';

/**
 * Any web page may send requests to loopback, and nothing here asks for credentials. Browsers name the origin of what they
 * send for a page, SDKs never do; a page whose own name was rebound to 127.0.0.1 is told by that name.
 * @throws ServiceFault 403
 */
export function refuseWebPages(headers: IncomingHttpHeaders): void {
  if (!isLoopbackHost(headers.host)) {
    throw new ServiceFault({
      type: 'AccessDeniedException',
      message: `The local runtime answers to 127.0.0.1 and localhost only, got the host ${JSON.stringify(headers.host?.slice(0, 100))}. Use its endpoint as it was printed`,
    });
  }
  const site = headers['sec-fetch-site'];
  // An address that a person typed is "none".
  if (headers.origin === undefined && (site === undefined || site === 'none')) return;
  throw new ServiceFault({
    type: 'AccessDeniedException',
    message: 'The local runtime does not answer web pages. Call it from a program.',
  });
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
