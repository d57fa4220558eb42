import { refuseOption } from '@art/protocol';

export interface GatewayClientOptions {
  /** The gateway's address, `http://127.0.0.1:9090`; a path in front of its routes is kept, a slash at the end is not. */
  url?: string | undefined;
  /**
   * Instead of `url`, the addresses of several independent gateways. Each session belongs to one of them, by its id; workers and
   * weight versions are told to all. All clients have to know the same addresses.
   */
  urls?: readonly string[] | undefined;
  /** Sent as Bearer key, where the gateway asks for one. */
  adminToken?: string | undefined;
  /** How long a call may take, all its attempts together. @default 30_000 */
  timeoutMs?: number | undefined;
  /**
   * How often a call is tried again whose connection failed, if doing it twice is as doing it once.
   * @default 3
   */
  retries?: number | undefined;
  /** Wait before the first of these; it doubles with each of them. @default 100 */
  retryDelayMs?: number | undefined;
  /** Does the requests. @default fetch */
  fetch?: typeof globalThis.fetch | undefined;
}

export interface CheckedClientOptions {
  /** At least one, without slashes at their ends. */
  urls: readonly string[];
  adminToken: string | undefined;
  timeoutMs: number;
  retries: number;
  retryDelayMs: number;
  fetch: typeof globalThis.fetch;
}

/** @throws ArtError `ART_INVALID_OPTION` */
export function checkClientOptions(options: GatewayClientOptions): CheckedClientOptions {
  const { adminToken, timeoutMs = 30_000, retries = 3, retryDelayMs = 100 } = options;
  if (adminToken !== undefined && (typeof adminToken !== 'string' || adminToken === '')) {
    // Not shown: it may be a secret in a wrong wrapping.
    refuseOption('adminToken', 'non-empty text', typeof adminToken);
  }
  if (!(typeof timeoutMs === 'number' && timeoutMs > 0))
    refuseOption('timeoutMs', 'milliseconds above 0', timeoutMs);
  if (!Number.isInteger(retries) || retries < 0) refuseOption('retries', 'an integer from 0', retries);
  if (!Number.isFinite(retryDelayMs) || retryDelayMs < 0) {
    refuseOption('retryDelayMs', 'milliseconds from 0', retryDelayMs);
  }
  return {
    urls: addressesOf(options),
    adminToken,
    timeoutMs,
    retries,
    retryDelayMs,
    fetch: options.fetch ?? globalThis.fetch,
  };
}

function addressesOf({ url, urls }: GatewayClientOptions): string[] {
  if (urls === undefined) return [addressOf('url', url)];
  if (url !== undefined) refuseOption('urls', 'absent where there is a url', urls);
  if (!Array.isArray(urls) || urls.length === 0) refuseOption('urls', 'a list with at least one URL', urls);
  const addresses = urls.map((one, index) => addressOf(`urls[${index}]`, one));
  if (new Set(addresses).size < addresses.length) refuseOption('urls', 'different URLs', urls);
  return addresses;
}

function addressOf(name: string, url: unknown): string {
  if (!isHttpUrl(url)) refuseOption(name, 'an http or https URL without query', url);
  return url.replace(/\/+$/, '');
}

function isHttpUrl(url: unknown): url is string {
  if (typeof url !== 'string' || !URL.canParse(url)) return false;
  const { protocol, search, hash } = new URL(url);
  return ['http:', 'https:'].includes(protocol) && search === '' && hash === '';
}
