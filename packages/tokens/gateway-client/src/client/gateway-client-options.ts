import {
  aFunction,
  aNumber,
  custom,
  anHttpUrl,
  optional,
  type OptionRule,
  type OptionRules,
  type ReadOptions,
  readOptions,
  refuseOption,
  shownUrl,
} from '@art/ground';

export interface GatewayClientOptions {
  /** The gateway's address, `http://127.0.0.1:9090`; a path in front of its routes is kept, a slash at the end is not. */
  url?: string | undefined;
  /**
   * Instead of `url`, the addresses of several independent gateways. Each session belongs to one of them, by its id; workers and
   * weight versions are sent to all. All clients have to know the same addresses.
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

// Not shown: it may be a secret in a wrong wrapping.
const aSecret: OptionRule<string> = (given, option) =>
  typeof given === 'string' && given !== '' ? given : refuseOption(option, 'non-empty text', typeof given);

const anAddress: OptionRule<string> = (given, option) => {
  const url = anHttpUrl(given, option);
  if (/[?#]/.test(url)) refuseOption(option, 'an http or https URL without query', shownUrl(url));
  return url.replace(/\/+$/, '');
};

const rules = {
  url: optional(anAddress),
  urls: optional(custom('a list with at least one URL', (value) => Array.isArray(value) && value.length > 0)),
  adminToken: optional(aSecret),
  timeoutMs: optional(aNumber({ above: 0, max: Infinity }), 30_000),
  retries: optional(aNumber({ min: 0, integer: true }), 3),
  retryDelayMs: optional(aNumber({ min: 0 }), 100),
  fetch: optional(aFunction()),
} satisfies OptionRules<GatewayClientOptions>;

/** Settings of a client; its addresses, one at least, have no slashes at their ends. */
export interface GatewayClientSettings extends Omit<ReadOptions<typeof rules>, 'url'> {
  readonly urls: readonly string[];
  readonly fetch: typeof globalThis.fetch;
}

/** @throws ArtError `ART_INVALID_OPTION` */
export function readClientOptions(options: GatewayClientOptions): GatewayClientSettings {
  const settings = readOptions('GatewayClient', options, rules);
  return { ...settings, urls: addressesOf(settings), fetch: settings.fetch ?? globalThis.fetch };
}

function addressesOf({ url, urls }: GatewayClientOptions): readonly string[] {
  if (urls === undefined) return [anAddress(url, 'url')];
  if (url !== undefined) refuseOption('urls', 'absent where there is a url', urls);
  const addresses = urls.map((one, index) => anAddress(one, `urls[${index}]`));
  if (new Set(addresses).size < addresses.length) refuseOption('urls', 'different URLs', urls);
  return addresses;
}
