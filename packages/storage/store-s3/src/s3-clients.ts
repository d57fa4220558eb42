import { S3Client } from '@aws-sdk/client-s3';
import { isLoopback } from '@art/ground';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import type { S3ResultStoreOptions } from './s3-result-store-options.ts';

const defaultMaxConnections = 256;
const defaultMaxAttempts = 6;
const localKeys = { accessKeyId: 'local', secretAccessKey: 'local' };
const localRegion = 'us-west-2';
const connectionTimeoutMs = 10_000;
/** Longest silence on a connection; S3 needs a few seconds at most to answer, also after 100 MB. */
const socketTimeoutMs = 60_000;

type State =
  | { kind: 'given'; client: S3Client }
  | { kind: 'own'; byRegion: Map<string, S3Client>; regionOfBucket: Map<string, string> };

/** The region of the default client: whatever the options and the environment say. */
const configured = '';

/**
 * The SDK clients of a store, made at first use: never while a module or an object is being set up, because AgentCore may
 * take a snapshot of the process before its first request.
 *
 * There is one client a region. The SDK's `followRegionRedirects` asks the wrong region again for every request, and
 * swaps the region of a client that other requests are using meanwhile; a bucket whose region is known needs neither.
 */
export class S3Clients {
  readonly #options: S3ResultStoreOptions;
  #state: State | { kind: 'closed' };

  constructor(options: S3ResultStoreOptions) {
    this.#options = options;
    this.#state =
      options.client === undefined
        ? { kind: 'own', byRegion: new Map(), regionOfBucket: new Map() }
        : { kind: 'given', client: options.client };
  }

  /** The client for a bucket; undefined once closed. */
  of(bucket: string): S3Client | undefined {
    switch (this.#state.kind) {
      case 'closed':
        return undefined;
      case 'given':
        return this.#state.client;
      case 'own': {
        const { byRegion, regionOfBucket } = this.#state;
        const region = regionOfBucket.get(bucket) ?? configured;
        let client = byRegion.get(region);
        if (client === undefined) {
          client = createClient(this.#options, region);
          byRegion.set(region, client);
        }
        return client;
      }
    }
  }

  /** Takes note of where a bucket is; from then on it has another client, unless the client is the user's own. */
  learnRegion(bucket: string, region: string): void {
    if (this.#state.kind === 'own') this.#state.regionOfBucket.set(bucket, region);
  }

  /** Closes the connections of clients made here. */
  close(): void {
    const state = this.#state;
    this.#state = { kind: 'closed' };
    if (state.kind === 'own') for (const client of state.byRegion.values()) client.destroy();
  }
}

function createClient(options: S3ResultStoreOptions, region: string): S3Client {
  const maxSockets = options.maxConnections ?? defaultMaxConnections;
  const forcePathStyle = options.forcePathStyle ?? isForeign(options.endpoint);
  const local = localEndpoint(options.endpoint);
  const chosenRegion = options.region ?? regionVariable() ?? (local === undefined ? undefined : localRegion);
  const client = new S3Client({
    maxAttempts: options.maxAttempts ?? defaultMaxAttempts,
    requestHandler: new NodeHttpHandler({
      httpAgent: { keepAlive: true, maxSockets },
      httpsAgent: { keepAlive: true, maxSockets },
      connectionTimeout: connectionTimeoutMs,
      socketTimeout: socketTimeoutMs,
    }),
    ...(chosenRegion !== undefined && { region: chosenRegion }),
    ...(options.endpoint !== undefined && { endpoint: options.endpoint }),
    // An endpoint of this machine is used whatever the shell says about AWS's own.
    ...(local !== undefined && { endpoint: local, useFipsEndpoint: false, useDualstackEndpoint: false }),
    ...(forcePathStyle && { forcePathStyle }),
    ...options.clientConfig,
    ...(region !== configured && { region }),
  });
  if (local !== undefined) closeAgainstShell(client);
  return client;
}

/** Gives an S3 of this machine keys where the shell has none that work: no profile, an expired login. */
function closeAgainstShell({ config }: S3Client): void {
  const { credentials } = config;
  config.credentials = (properties) => credentials(properties).catch(() => localKeys);
}

/** The endpoint of an S3 on this machine, by an option or the environment. */
function localEndpoint(endpoint: string | undefined): string | undefined {
  const url = endpoint ?? process.env['AWS_ENDPOINT_URL_S3'] ?? process.env['AWS_ENDPOINT_URL'];
  return url !== undefined && URL.canParse(url) && isLoopback(new URL(url).hostname) ? url : undefined;
}

/** The region of the environment. The CLI and boto3 read `AWS_DEFAULT_REGION`, the SDK for JavaScript does not; an empty one is none. */
function regionVariable(): string | undefined {
  const { AWS_REGION: region, AWS_DEFAULT_REGION: older } = process.env;
  return [region, older].find((name) => name !== undefined && name !== '');
}

/** Most other implementations of S3 have no host name for each bucket. */
function isForeign(endpoint: string | undefined): boolean {
  const url = endpoint ?? process.env['AWS_ENDPOINT_URL_S3'] ?? process.env['AWS_ENDPOINT_URL'];
  return url !== undefined && URL.canParse(url) && !/\.amazonaws\.com(\.cn)?$/.test(new URL(url).hostname);
}
