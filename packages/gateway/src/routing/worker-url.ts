import { ArtError, describeValue } from '@art/protocol';

/** Where a worker is: its base URL, and the path under which its API begins. */
export interface WorkerAddress {
  /** `http://host:port`, without a trailing slash. */
  url: string;
  /** `/v1` for nearly every engine; may be empty. */
  apiPath: string;
}

/**
 * Splits `http://host:port/v1` into base URL and API path, because health checks and token routes live beside the API.
 * A path that is given twice, in the URL and as `apiPath`, counts once.
 * @throws ArtError `ART_INVALID_OPTION`
 */
export function resolveWorkerUrl(raw: unknown, apiPath?: unknown): WorkerAddress {
  if (typeof raw !== 'string') throw invalid('url', 'an http(s) URL', raw);
  const parsed = URL.parse(raw);
  if (parsed === null || !/^https?:$/.test(parsed.protocol) || parsed.search !== '' || parsed.hash !== '') {
    throw invalid('url', 'an http(s) URL without query', raw);
  }
  const path = trimSlashes(parsed.pathname);
  // The URL as it was written, so that a trainer finds in the list what it had put there.
  const base = raw.replace(/\/+$/, '');
  const origin = path === '' ? base : base.slice(0, base.length - path.length);
  if (apiPath === undefined || apiPath === null) return { url: origin, apiPath: path === '' ? '/v1' : path };
  if (typeof apiPath !== 'string') throw invalid('apiPath', 'text such as /v1', apiPath);
  const wanted = trimSlashes(apiPath);
  const rest = wanted !== '' && path.endsWith(wanted) ? path.slice(0, path.length - wanted.length) : path;
  return { url: origin + rest, apiPath: wanted };
}

function trimSlashes(path: string): string {
  const inner = path.replace(/^\/+|\/+$/g, '');
  return inner === '' ? '' : `/${inner}`;
}

function invalid(option: string, expected: string, got: unknown): ArtError {
  return new ArtError({
    code: 'ART_INVALID_OPTION',
    message: `Expected a worker's \`${option}\` to be ${expected}, got ${describeValue(got)}.`,
  });
}
