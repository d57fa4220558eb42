import type { IncomingHttpHeaders } from 'node:http';

import { isLoopbackHost } from './is-loopback-host.ts';
import { accessDenied } from '../wire/s3-error.ts';

/**
 * Any web page may send requests to loopback, and this endpoint asks for no credentials. Browsers say where a request comes
 * from, SDKs never do.
 * @throws S3Error AccessDenied
 */
export function refuseBrowsers(headers: IncomingHttpHeaders): void {
  if (!isLoopbackHost(headers.host)) {
    throw accessDenied(
      'the local S3 endpoint answers to 127.0.0.1 and localhost only; use its endpoint as it was printed.',
    );
  }
  const site = headers['sec-fetch-site'];
  // Another port of this machine is "same-site" to a browser and still another origin.
  if (headers['origin'] === undefined && site !== 'cross-site' && site !== 'same-site') return;
  throw accessDenied('the local S3 endpoint does not answer web pages of other origins.');
}
