import type { IncomingHttpHeaders } from 'node:http';

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

/**
 * Whether a `Host` header names this machine by a name that only loopback can have. Another name in it means that somebody
 * else's name resolves to 127.0.0.1: a web page that has its own name rebound, and then counts as being of the same origin.
 * A request without the header, which HTTP/1.0 allows, comes from no browser.
 */
export function isLoopbackHost(host: string | undefined): boolean {
  return (
    host === undefined || /^(127(\.\d{1,3}){3}|\[::1\]|([a-z0-9-]+\.)*localhost)(:\d{1,5})?$/i.test(host)
  );
}
