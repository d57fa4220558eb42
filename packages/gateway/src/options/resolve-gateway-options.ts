import type { OpenTransport } from '../engines/engine-transport.ts';
import { engineFlavours } from '../engines/engine-profiles.ts';
import { type WorkerOptions, resolveWorkerUrl } from '../routing/worker.ts';
import type { TraceStore } from '../store/trace-store.ts';
import {
  logLevels,
  type AuthOptions,
  type GatewayOptions,
  type HeartbeatOptions,
  type RetryOptions,
  type StoreOptions,
} from './gateway-options.ts';
import { invalidOption, OptionReader } from './option-reader.ts';

/** All members given. */
export type Complete<T> = { readonly [Name in keyof T]-?: Exclude<T[Name], undefined> };

/** All options after the check, defaults filled in. */
export interface ResolvedGatewayOptions {
  host: string;
  port: number;
  workers: readonly (WorkerOptions & { workerId: string })[];
  store: { kind: 'given'; store: TraceStore } | { kind: 'own'; options: StoreOptions & { ttlMs: number } };
  addLogprobs: boolean;
  addTokenIds: boolean;
  stripEngineFields: boolean;
  model: string | undefined;
  samplingEnforcement: 'session' | 'client';
  transport: OpenTransport | undefined;
  healthCheckIntervalMs: number;
  healthCheckTimeoutMs: number;
  healthFailureThreshold: number;
  heartbeat: Complete<HeartbeatOptions> | undefined;
  retry: Complete<RetryOptions>;
  sessionsFromKeys: boolean;
  traceChoices: 'all' | 'first';
  keepRawBodies: boolean;
  auth: { adminToken: string | undefined; sessionKeys: boolean; keySecret: string | undefined };
  bodyLimitBytes: number;
  maxConnectionsPerWorker: number;
  shutdownGraceMs: number;
  logLevel: (typeof logLevels)[number];
}

/** The names of all options. */
const gatewayOptionNames = [
  'host',
  'port',
  'workers',
  'store',
  'sessionTtlMs',
  'addLogprobs',
  'addTokenIds',
  'stripEngineFields',
  'model',
  'samplingEnforcement',
  'transport',
  'healthCheckIntervalMs',
  'healthCheckTimeoutMs',
  'healthFailureThreshold',
  'heartbeat',
  'retry',
  'sessionsFromKeys',
  'traceChoices',
  'keepRawBodies',
  'auth',
  'bodyLimitBytes',
  'maxConnectionsPerWorker',
  'shutdownGraceMs',
  'logLevel',
] as const satisfies readonly (keyof GatewayOptions)[];

/** @throws ArtError `ART_INVALID_OPTION`, naming the option. */
export function resolveGatewayOptions(options: GatewayOptions = {}): ResolvedGatewayOptions {
  const read = new OptionReader('', options, gatewayOptionNames);
  const store = resolveStore(options.store ?? {}, read.duration('sessionTtlMs', 86_400_000, 0));
  return {
    host: read.text('host') ?? '127.0.0.1',
    port: read.whole('port', 9_090, 0, 65_535),
    workers: resolveWorkers(options.workers ?? []),
    store,
    addLogprobs: read.flag('addLogprobs', true),
    addTokenIds: read.flag('addTokenIds', true),
    stripEngineFields: read.flag('stripEngineFields', true),
    model: read.text('model'),
    samplingEnforcement: read.oneOf('samplingEnforcement', ['session', 'client']) ?? 'session',
    transport: resolveTransport(options.transport),
    healthCheckIntervalMs: read.duration('healthCheckIntervalMs', 10_000, 0),
    healthCheckTimeoutMs: read.duration('healthCheckTimeoutMs', 5_000),
    healthFailureThreshold: read.whole('healthFailureThreshold', 3, 1),
    heartbeat: options.heartbeat === false ? undefined : resolveHeartbeat(options.heartbeat ?? {}),
    retry: resolveRetry(options.retry ?? {}),
    sessionsFromKeys: read.flag('sessionsFromKeys', false),
    traceChoices: read.oneOf('traceChoices', ['all', 'first']) ?? 'all',
    keepRawBodies: read.flag('keepRawBodies', false),
    auth: resolveAuth(options.auth ?? {}),
    bodyLimitBytes: read.whole('bodyLimitBytes', 67_108_864, 1),
    maxConnectionsPerWorker: read.whole('maxConnectionsPerWorker', 1_024, 1, 65_535),
    shutdownGraceMs: read.duration('shutdownGraceMs', 10_000, 0),
    logLevel: read.oneOf('logLevel', logLevels) ?? 'info',
  };
}

function resolveWorkers(workers: readonly WorkerOptions[]): ResolvedGatewayOptions['workers'] {
  if (!Array.isArray(workers)) throw invalidOption('workers', 'a list', workers);
  return workers.map((worker, index) => ({
    ...resolveWorker(worker, `workers[${index}]`),
    workerId: worker.workerId ?? String(index),
  }));
}

/**
 * Checks one worker's options.
 * @throws ArtError `ART_INVALID_OPTION`
 */
export function resolveWorker(worker: WorkerOptions, place: string): WorkerOptions {
  const known = ['url', 'apiPath', 'workerId', 'flavour', 'modelName', 'weight'];
  const read = new OptionReader(place, worker, known);
  const { url, apiPath } = resolveWorkerUrl(worker.url, worker.apiPath);
  return {
    url,
    apiPath,
    workerId: read.text('workerId'),
    flavour: read.oneOf('flavour', engineFlavours),
    modelName: read.text('modelName'),
    weight: read.above('weight', 1),
  };
}

function resolveStore(store: TraceStore | StoreOptions, ttlMs: number): ResolvedGatewayOptions['store'] {
  if (isTraceStore(store)) return { kind: 'given', store };
  const read = new OptionReader('store', store, ['directory', 'durability', 'maxSessions', 'maxBytes']);
  const bound = (name: 'maxSessions' | 'maxBytes'): number | undefined =>
    store[name] === undefined ? undefined : read.whole(name, 1, 1);
  const options = {
    directory: read.text('directory'),
    durability: read.oneOf('durability', ['process', 'disk']),
    maxSessions: bound('maxSessions'),
    maxBytes: bound('maxBytes'),
    ttlMs,
  };
  return { kind: 'own', options };
}

function isTraceStore(store: TraceStore | StoreOptions): store is TraceStore {
  return typeof store === 'object' && store !== null && 'append' in store && 'tracesOf' in store;
}

function resolveTransport(transport: OpenTransport | undefined): OpenTransport | undefined {
  if (transport === undefined || typeof transport === 'function') return transport;
  throw invalidOption(
    'transport',
    'a function that opens one, such as tokenEngine() of @art/token-engine',
    transport,
  );
}

function resolveHeartbeat(options: HeartbeatOptions): Complete<HeartbeatOptions> {
  const read = new OptionReader('heartbeat', options, ['afterMs', 'everyMs', 'budgetMs']);
  return {
    afterMs: read.duration('afterMs', 50_000),
    everyMs: read.duration('everyMs', 25_000),
    budgetMs: read.duration('budgetMs', 3_600_000),
  };
}

function resolveRetry(options: RetryOptions | false): Complete<RetryOptions> {
  const given = options === false ? { attempts: 0, serverErrorAttempts: 0, connectionAttempts: 0 } : options;
  const known = [
    'attempts',
    'serverErrorAttempts',
    'connectionAttempts',
    'baseDelayMs',
    'maxDelayMs',
    'maxRetryAfterMs',
  ];
  const read = new OptionReader('retry', given, known);
  return {
    attempts: read.whole('attempts', 5, 0, 100),
    serverErrorAttempts: read.whole('serverErrorAttempts', 1, 0, 100),
    connectionAttempts: read.whole('connectionAttempts', 2, 0, 100),
    baseDelayMs: read.duration('baseDelayMs', 250, 0),
    maxDelayMs: read.duration('maxDelayMs', 30_000, 0),
    maxRetryAfterMs: read.duration('maxRetryAfterMs', 60_000, 0),
  };
}

function resolveAuth(options: AuthOptions): ResolvedGatewayOptions['auth'] {
  const read = new OptionReader('auth', options, ['adminToken', 'sessionKeys', 'keySecret']);
  return {
    adminToken: read.text('adminToken'),
    sessionKeys: read.flag('sessionKeys', false),
    keySecret: read.text('keySecret'),
  };
}
