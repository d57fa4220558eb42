import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from './api-error.ts';

/**
 * Any web page may send requests to loopback and to a trainer's network, and here they would delete sessions or use the
 * engines. Browsers name the origin of what they send for a page, SDKs never do.
 * @throws ApiError 403
 */
export function refuseWebPages(headers: IncomingHttpHeaders): void {
  const site = headers['sec-fetch-site'];
  // An address that a person typed is "none".
  if (headers.origin === undefined && (site === undefined || site === 'none')) return;
  throw new ApiError({
    status: 403,
    message: 'The gateway does not answer web pages. Call it from a program, without an Origin header.',
    code: 'web_page_refused',
  });
}
