import type { EngineFlavour } from '../engines/engine-profiles.ts';
import type { ModelSampling } from '../engines/model-sampling.ts';
import { refuseOption, shownUrl } from '@art/ground';

/** One inference server as it is asked for. */
export interface WorkerOptions {
  /** Base URL, with or without the path of its API: `http://host:8000` or `http://host:8000/v1`. */
  url: string;
  /** Path under which its API begins. @default the path of `url`, else `/v1` */
  apiPath?: string | undefined;
  /** Its name in routes and lists. @default a number for those of the configuration, a UUID for those that are added later */
  workerId?: string | undefined;
  /** Kind of the server. @default found out by asking it; `vllm` where its answers do not show it */
  flavour?: EngineFlavour | undefined;
  /** Calls for this model go only to workers that name it. @default any model */
  modelName?: string | undefined;
  /** Its share of new sessions relative to others, above 0. @default 1 */
  weight?: number | undefined;
}

/**
 * Health of a worker.
 * - `healthy`: with the number of checks in a row that failed so far.
 * - `dead`: gets no calls until a check succeeds.
 */
export type WorkerHealth = { kind: 'healthy'; failures: number } | { kind: 'dead' };

/** One inference server as the gateway knows it. */
export interface Worker {
  readonly workerId: string;
  readonly url: string;
  readonly apiPath: string;
  readonly modelName: string | undefined;
  readonly weight: number;
  readonly givenFlavour: EngineFlavour | undefined;
  health: WorkerHealth;
  /** Sampling defaults of its model's own files; undefined before they were read. */
  modelSampling: ModelSampling | undefined;
  /** Calls under way. */
  activeCalls: number;
  /** Sessions in use whose last call went to it. */
  sessions: number;
}

/** Where a worker is: its base URL, and the path under which its API begins. */
interface WorkerAddress {
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
  if (typeof raw !== 'string') refuseOption('url', 'the http(s) URL of a worker', raw);
  const parsed = URL.parse(raw);
  if (parsed === null || !/^https?:$/.test(parsed.protocol) || parsed.search !== '' || parsed.hash !== '') {
    refuseOption('url', 'the http(s) URL of a worker, without query', shownUrl(raw));
  }
  const path = trimSlashes(parsed.pathname);
  // The URL as it was written, so that a trainer finds in the list what it had put there.
  const base = raw.replace(/\/+$/, '');
  const origin = path === '' ? base : base.slice(0, base.length - path.length);
  if (apiPath === undefined || apiPath === null) return { url: origin, apiPath: path === '' ? '/v1' : path };
  if (typeof apiPath !== 'string') refuseOption('apiPath', 'text such as /v1, the path of a worker', apiPath);
  const wanted = trimSlashes(apiPath);
  const rest = wanted !== '' && path.endsWith(wanted) ? path.slice(0, path.length - wanted.length) : path;
  return { url: origin + rest, apiPath: wanted };
}

function trimSlashes(path: string): string {
  const inner = path.replace(/^\/+|\/+$/g, '');
  return inner === '' ? '' : `/${inner}`;
}
