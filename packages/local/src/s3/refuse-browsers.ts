import type { IncomingHttpHeaders } from 'node:http';

import { accessDenied } from './s3-error.ts';

/**
 * Any web page may send requests to loopback, and this endpoint asks for no credentials. Browsers say where a request comes
 * from, SDKs never do.
 * @throws S3Error AccessDenied
 */
export function refuseBrowsers(headers: IncomingHttpHeaders): void {
  const site = headers['sec-fetch-site'];
  // Another port of this machine is "same-site" to a browser and still another origin.
  if (headers['origin'] === undefined && site !== 'cross-site' && site !== 'same-site') return;
  throw accessDenied('the local S3 endpoint does not answer web pages of other origins.');
}
