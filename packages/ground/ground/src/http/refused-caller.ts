import type { IncomingMessage } from 'node:http';
import { isLoopback } from './is-loopback.ts';

/** Rules for the callers of a server. */
export interface CallerRules {
  /** Where the server listens, as `listen` was told, or as `address()` tells. */
  host: string;
  /**
   * Names and addresses, without a port, by which callers may name the server beside those of loopback; `*` is any. Elsewhere than
   * on loopback an IP address may always be named. @default none on loopback, elsewhere any
   */
  allowedHosts?: readonly string[] | undefined;
  /**
   * Web pages that may call: none, those of the server itself, or all that come from this machine. @default 'none'
   */
  pages?: 'none' | 'own' | 'loopback' | undefined;
}

/** Why a caller is refused, to be answered with 403. */
export interface CallerRefusal {
  reason: 'host' | 'web_page';
  message: string;
}

// What a container calls the machine around it. Nobody can register a name under `.internal`.
const namesFromContainers = ['host.docker.internal', 'host.containers.internal'];
const ipAddress = /^(\d{1,3}(\.\d{1,3}){3}|\[[0-9a-f:.]+\])$/;

/**
 * Refuses a request of a web page that has no business here, by the headers that browsers set and pages cannot. Any
 * page can send requests to loopback and to the network around the browser. Three headers tell:
 * - `Origin`: browsers send it with all but plain reads, SDKs never.
 * - `Sec-Fetch-Site`: browsers send it to loopback with everything. `none` is an address that a person typed.
 * - `Host`: a page whose own name was made to resolve to the server counts as the server's own page to its browser, and
 *   reads without an `Origin`. On loopback no foreign name is good. Elsewhere callers use names that only the operator
 *   knows: those are checked once `allowedHosts` lists them.
 *
 * A request without `Host`, which HTTP/1.0 allows, comes from no browser. Sources:
 * https://www.w3.org/TR/fetch-metadata/, https://fetch.spec.whatwg.org/#origin-header
 */
export function refusedCaller(
  { method = 'GET', headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  rules: CallerRules,
): CallerRefusal | undefined {
  const { host, origin, 'sec-fetch-site': site } = headers;
  if (host !== undefined && !isOwnName(host, rules)) {
    const message = `Expected the Host header to name this server, got ${JSON.stringify(host.slice(0, 100))}. Call it at the address that was printed.`;
    return { reason: 'host', message };
  }
  if (isPageLetIn(method, headers, rules)) return undefined;
  if (origin === undefined && (site === undefined || site === 'none')) return undefined;
  const message = 'Web pages are not answered. Call this server from a program, without an Origin header.';
  return { reason: 'web_page', message };
}

function isOwnName(header: string, { host, allowedHosts }: CallerRules): boolean {
  if (allowedHosts === undefined && !isLoopback(host)) return true;
  const name = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+?)\.?(:\d{0,5})?$/i.exec(header)?.[1]?.toLowerCase();
  if (allowedHosts?.includes('*') === true) return true;
  if (name === undefined) return false;
  if (isLoopback(name) || namesFromContainers.includes(name)) return true;
  if (!isLoopback(host) && ipAddress.test(name)) return true;
  return allowedHosts?.some((allowed) => allowed.toLowerCase() === name || `[${allowed}]` === name) === true;
}

function isPageLetIn(
  method: string,
  { host, origin, ...headers }: IncomingMessage['headers'],
  { pages = 'none' }: CallerRules,
): boolean {
  if (pages === 'loopback') {
    const page = origin !== undefined && URL.canParse(origin) ? new URL(origin) : undefined;
    return page !== undefined && isLoopback(page.hostname);
  }
  if (pages === 'none') return false;
  if (origin !== undefined) return origin === `http://${host}`;
  if (headers['sec-fetch-site'] === 'same-origin') return true;
  // A link from elsewhere may open a page; only what a page reads is refused.
  const opensPage = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
  return opensPage && (method === 'GET' || method === 'HEAD');
}
