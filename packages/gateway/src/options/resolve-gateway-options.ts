import { refuseOption } from '@art/protocol';
import type { OpenTransport } from '../engines/engine-transport.ts';
import { engineFlavours } from '../engines/engine-profiles.ts';
import { type WorkerOptions, resolveWorkerUrl } from '../routing/worker.ts';
import type { TraceStore } from '../store/trace-store.ts';
import { logLevels, type AuthOptions, type GatewayOptions, type StoreOptions } from './gateway-options.ts';
import {
  duration,
  flag,
  ifGiven,
  object,
  oneOf,
  type OptionRule,
  readOptions,
  type Resolved,
  text,
  whole,
} from './option-rules.ts';

const workerRules = {
  url: (given) => given,
  apiPath: (given) => given,
  workerId: text,
  flavour: oneOf(engineFlavours, undefined),
  modelName: text,
  weight: (given = 1, option) =>
    typeof given === 'number' && Number.isFinite(given) && given > 0
      ? given
      : refuseOption(option, 'a number above 0', given),
} satisfies Record<keyof WorkerOptions, OptionRule<unknown>>;

/**
 * Checks one worker's options.
 * @throws ArtError `ART_INVALID_OPTION`
 */
export function resolveWorker(worker: unknown, place: string): WorkerOptions {
  const given = readOptions(place, worker, workerRules);
  return { ...given, ...resolveWorkerUrl(given.url, given.apiPath) };
}

function workers(given: unknown = []): readonly (WorkerOptions & { workerId: string })[] {
  if (!Array.isArray(given)) refuseOption('workers', 'a list', given);
  return given.map((worker, index) => {
    const resolved = resolveWorker(worker, `workers[${index}]`);
    return { ...resolved, workerId: resolved.workerId ?? String(index) };
  });
}

const storeRules = {
  directory: text,
  durability: oneOf(['process', 'disk'], undefined),
  maxSessions: ifGiven(whole(1, 1)),
  maxBytes: ifGiven(whole(1, 1)),
} satisfies Record<keyof StoreOptions, OptionRule<unknown>>;

function store(
  given: unknown = {},
): { kind: 'given'; store: TraceStore } | { kind: 'own'; options: Resolved<typeof storeRules> } {
  const isGiven = typeof given === 'object' && given !== null && 'append' in given && 'tracesOf' in given;
  if (isGiven) return { kind: 'given', store: given as TraceStore };
  return { kind: 'own', options: readOptions('store', given, storeRules) };
}

function transport(given: unknown): OpenTransport | undefined {
  if (given === undefined || typeof given === 'function') return given as OpenTransport | undefined;
  return refuseOption(
    'transport',
    'a function that opens one, such as tokenEngine() of @art/token-engine',
    given,
  );
}

const heartbeatRules = {
  afterMs: duration(50_000),
  everyMs: duration(25_000),
  budgetMs: duration(3_600_000),
};
export type HeartbeatPlan = Resolved<typeof heartbeatRules>;

const retryRules = {
  attempts: whole(5, 0, 100),
  serverErrorAttempts: whole(1, 0, 100),
  connectionAttempts: whole(2, 0, 100),
  baseDelayMs: duration(250, 0),
  maxDelayMs: duration(30_000, 0),
  maxRetryAfterMs: duration(60_000, 0),
};
export type RetryBounds = Resolved<typeof retryRules>;
const noRetries = { attempts: 0, serverErrorAttempts: 0, connectionAttempts: 0 };

const authRules = {
  adminToken: text,
  sessionKeys: flag(false),
  keySecret: text,
} satisfies Record<keyof AuthOptions, OptionRule<unknown>>;

const rules = {
  host: (given, option) => text(given, option) ?? '127.0.0.1',
  port: whole(9_090, 0, 65_535),
  workers,
  store,
  sessionTtlMs: duration(86_400_000, 0),
  addLogprobs: flag(true),
  addTokenIds: flag(true),
  stripEngineFields: flag(true),
  model: text,
  samplingEnforcement: oneOf(['session', 'client'], 'session'),
  transport,
  healthCheckIntervalMs: duration(10_000, 0),
  healthCheckTimeoutMs: duration(5_000),
  healthFailureThreshold: whole(3, 1),
  heartbeat: (given, option) => (given === false ? undefined : object(heartbeatRules)(given, option)),
  retry: (given, option) => object(retryRules)(given === false ? noRetries : given, option),
  sessionsFromKeys: flag(false),
  traceChoices: oneOf(['all', 'first'], 'all'),
  keepRawBodies: flag(false),
  auth: object(authRules),
  bodyLimitBytes: whole(67_108_864, 1),
  maxConnectionsPerWorker: whole(1_024, 1, 65_535),
  shutdownGraceMs: duration(10_000, 0),
  logLevel: oneOf(logLevels, 'info'),
} satisfies Record<keyof GatewayOptions, OptionRule<unknown>>;

/** All options after the check, defaults filled in. */
export type ResolvedGatewayOptions = Resolved<typeof rules>;

/** @throws ArtError `ART_INVALID_OPTION`, naming the option. */
export function resolveGatewayOptions(options: GatewayOptions = {}): ResolvedGatewayOptions {
  return readOptions('', options, rules);
}
