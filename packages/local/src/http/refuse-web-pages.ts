import type { IncomingHttpHeaders } from 'node:http';
import { ServiceFault } from '../service/service-fault.ts';

/**
 * Any web page may send requests to loopback, and here one of them runs commands without credentials. Browsers name the
 * origin of what they send for a page, SDKs never do.
 * @throws ServiceFault 403
 */
export function refuseWebPages(headers: IncomingHttpHeaders): void {
  const site = headers['sec-fetch-site'];
  // An address that a person typed is "none".
  if (headers.origin === undefined && (site === undefined || site === 'none')) return;
  throw new ServiceFault({
    type: 'AccessDeniedException',
    message: 'The local runtime does not answer web pages. Call it from a program.',
  });
}
