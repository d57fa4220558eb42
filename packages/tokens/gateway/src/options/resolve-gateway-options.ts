import {
  aBoolean,
  aFunction,
  aNumber,
  anObject,
  unchecked,
  aText,
  custom,
  oneOf,
  optional,
  type OptionRule,
  type OptionRules,
  type ReadOptions,
  readOptions,
  refuseOption,
  withMethod,
} from '@art/ground';
import { engineFlavours } from '../engines/engine-profiles.ts';
import type { SignRequest } from '../engines/sign-request.ts';
import { type WorkerOptions, resolveWorkerUrl } from '../routing/worker.ts';
import type { AnswerStore } from '../engines/answer-store.ts';
import type { CaptureStore } from '../store/capture-store.ts';
import {
  logLevels,
  type AuthOptions,
  type GatewayOptions,
  type HeartbeatOptions,
  type RetryOptions,
  type StoreOptions,
} from './gateway-options.ts';

const aCount = (min: number, max?: number): OptionRule<number> => aNumber({ min, max, integer: true });

/** Milliseconds that a timer can hold; longer ones wrap around to 1 ms. */
const aDuration = (min = 1): OptionRule<number> => aCount(min, 2 ** 31 - 1);

export const workerRules = {
  url: unchecked<string>(),
  apiPath: unchecked(),
  workerId: optional(aText),
  flavour: optional(oneOf(...engineFlavours)),
  modelName: optional(aText),
  weight: optional(aNumber({ above: 0 }), 1),
} satisfies OptionRules<WorkerOptions>;

/**
 * Checks one worker's options.
 * @throws ArtError `ART_INVALID_OPTION`
 */
function resolveWorker(worker: unknown, place: string): WorkerOptions {
  const given = anObject(workerRules)(worker, place);
  return { ...given, ...resolveWorkerUrl(given.url, given.apiPath) };
}

function workers(given: unknown, option: string): readonly (WorkerOptions & { workerId: string })[] {
  if (!Array.isArray(given)) refuseOption(option, 'a list', given);
  return given.map((worker, index) => {
    const resolved = resolveWorker(worker, `${option}[${index}]`);
    return { ...resolved, workerId: resolved.workerId ?? String(index) };
  });
}

const hostName = /^(\*|[\w.-]+|[\da-f:.]+)$/i;

function hostNames(given: unknown, option: string): readonly string[] {
  if (Array.isArray(given) && given.every((name) => typeof name === 'string' && hostName.test(name)))
    return given as string[];
  return refuseOption(option, 'a list of host names without scheme and port', given);
}

const storeRules = {
  directory: optional(aText),
  durability: optional(oneOf('process', 'disk')),
  maxSessions: optional(aCount(1)),
  maxBytes: optional(aCount(1)),
} satisfies OptionRules<StoreOptions>;

function store(
  given: unknown = {},
  option: string,
): { kind: 'given'; store: CaptureStore } | { kind: 'own'; options: ReadOptions<typeof storeRules> } {
  const isGiven = typeof given === 'object' && given !== null && 'append' in given && 'capturesOf' in given;
  if (isGiven) return { kind: 'given', store: given as CaptureStore };
  return { kind: 'own', options: anObject(storeRules)(given, option) };
}

const heartbeatRules = {
  afterMs: optional(aDuration(), 50_000),
  everyMs: optional(aDuration(), 25_000),
  budgetMs: optional(aDuration(), 3_600_000),
} satisfies OptionRules<HeartbeatOptions>;
export type HeartbeatPlan = ReadOptions<typeof heartbeatRules>;

const retryRules = {
  attempts: optional(aCount(0, 100), 5),
  serverErrorAttempts: optional(aCount(0, 100), 1),
  connectionAttempts: optional(aCount(0, 100), 2),
  baseDelayMs: optional(aDuration(0), 250),
  maxDelayMs: optional(aDuration(0), 30_000),
  maxRetryAfterMs: optional(aDuration(0), 60_000),
} satisfies OptionRules<RetryOptions>;
export type RetryBounds = ReadOptions<typeof retryRules>;
const noRetries = { attempts: 0, serverErrorAttempts: 0, connectionAttempts: 0 };

const authRules = {
  adminToken: optional(aText),
  sessionKeys: optional(aBoolean, false),
  keySecret: optional(aText),
} satisfies OptionRules<AuthOptions>;

const rules = {
  host: optional(aText, '127.0.0.1'),
  allowedHosts: optional(hostNames),
  port: optional(aCount(0, 65_535), 9_090),
  workers: optional(workers, []),
  flavour: optional(oneOf(...engineFlavours)),
  store,
  sessionTtlMs: optional(aDuration(0), 86_400_000),
  addLogprobs: optional(aBoolean, true),
  addTokenIds: optional(aBoolean, true),
  cumulativeTokenMode: optional(aBoolean, false),
  stripEngineFields: optional(aBoolean, true),
  model: optional(aText),
  samplingEnforcement: optional(oneOf('session', 'client'), 'session'),
  engine: optional(
    custom(
      'a function that opens one, such as tokenEngine() of @art/token-engine',
      (value) => typeof value === 'function',
    ),
  ),
  whenFull: optional(oneOf('error', 'length'), 'error'),
  media: optional(oneOf('mark', 'refuse'), 'mark'),
  healthCheckIntervalMs: optional(aDuration(0), 10_000),
  healthCheckTimeoutMs: optional(aDuration(), 5_000),
  healthFailureThreshold: optional(aCount(1), 3),
  heartbeat: (given = {}, option) => (given === false ? undefined : anObject(heartbeatRules)(given, option)),
  retry: (given = {}, option) => anObject(retryRules)(given === false ? noRetries : given, option),
  sessionsFromKeys: optional(aBoolean, false),
  captureChoices: optional(oneOf('all', 'first'), 'all'),
  keepRawBodies: optional(aBoolean, false),
  answers: optional(withMethod<AnswerStore>('an AnswerStore', 'read')),
  sign: optional(aFunction<SignRequest>()),
  auth: (given = {}, option) => anObject(authRules)(given, option),
  onSpent: optional(aFunction<NonNullable<GatewayOptions['onSpent']>>()),
  bodyLimitBytes: optional(aCount(1), 67_108_864),
  maxConnectionsPerWorker: optional(aCount(1, 65_535), 1_024),
  shutdownGraceMs: optional(aDuration(0), 10_000),
  logLevel: optional(oneOf(...logLevels), 'info'),
} satisfies OptionRules<GatewayOptions, 'store'>;

/** All options after the check, defaults filled in. */
export type ResolvedGatewayOptions = ReadOptions<typeof rules>;

/** @throws ArtError `ART_INVALID_OPTION`, naming the option. */
export function resolveGatewayOptions(options: GatewayOptions = {}): ResolvedGatewayOptions {
  const resolved = readOptions('startGateway', options, rules);
  const { engine, workers: servers } = resolved;
  if (engine !== undefined && servers.length > 0)
    refuseOption('workers', 'absent where engine is given', servers);
  return resolved;
}
