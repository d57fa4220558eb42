import { homedir } from 'node:os';
import { join } from 'node:path';
import { aNumber, optional, refuseOption, similarName } from '@art/protocol';
import { parse, YAMLParseError } from 'yaml';
import type { WorkerOptions } from '../routing/worker.ts';
import { configKeys, type ConfigKey } from './config-keys.ts';
import type { GatewayOptions, StoreOptions } from './gateway-options.ts';
import { readEnvironment } from './gateway-environment.ts';
import { resolveGatewayOptions } from './resolve-gateway-options.ts';

/** What a command line says, by the names of rllm-model-gateway's flags in camelCase. */
export interface GatewayFlags {
  host?: string | undefined;
  port?: number | undefined;
  allowedHost?: readonly string[] | undefined;
  processes?: number | undefined;
  /** URLs; they replace the workers of the file. */
  worker?: readonly string[] | undefined;
  dbPath?: string | undefined;
  store?: string | undefined;
  /** In Python's or pino's spelling. */
  logLevel?: string | undefined;
  /** Replaces the model that agents name. */
  model?: string | undefined;
  /** Accepted for compatibility: the engine knows its window. */
  maxModelLen?: number | undefined;
  cumulativeTokenMode?: boolean | undefined;
  /** Accepted for compatibility: the bridge needs no knowledge of the model's family. */
  rendererFamily?: string | undefined;
  /** Workers are SGLang unless they say otherwise. */
  useSglang?: boolean | undefined;
  /** Accepted for compatibility, as the next one: SGLang is started with its parsers. */
  sglangToolCallParser?: string | undefined;
  sglangReasoningParser?: string | undefined;
  samplingParamsPriority?: string | undefined;
  stripVllmFields?: boolean | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;
type Config = Partial<Record<ConfigKey, unknown>>;

/** What the file, the environment and the command line ask for. */
export interface GatewayConfig {
  options: GatewayOptions;
  /** How many independent gateways, which `startGateway` does not know of: each is a process of its own, at an address of its own. */
  processes: number;
}

// More would spend their time on each other.
const processCount = optional(aNumber({ min: 1, max: 128, integer: true }), 1);

/**
 * What a YAML file's text, the environment and the command line say, each winning over the one before, with the names of
 * rllm-model-gateway in snake_case and, for what only this gateway has, its own option names in snake_case.
 * @param passOver gets keys of the file that nobody here knows, and that are no misspelling of one that is known: a newer
 * rllm-model-gateway may write them. Without it they are refused.
 * @throws ArtError `ART_INVALID_OPTION`
 */
export function readGatewayConfig(
  yamlText: string | undefined,
  env: Environment = {},
  flags: GatewayFlags = {},
  passOver?: (key: string) => void,
): GatewayConfig {
  const file = readYaml(yamlText ?? '', passOver);
  const config: Config = { ...file, ...readEnvironment(env), ...readFlags(flags) };
  const options = toOptions(config);
  resolveGatewayOptions(options);
  return { options, processes: processCount(config.processes, 'processes') };
}

function readYaml(text: string, passOver: ((key: string) => void) | undefined): Config {
  let document: unknown;
  try {
    document = parse(text) ?? {};
  } catch (error) {
    if (!(error instanceof YAMLParseError)) throw error;
    refuseOption('config', `YAML (${error.message.split('\n', 1)[0]})`, text);
  }
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    refuseOption('config', 'a YAML mapping', document);
  }
  const config: Config = {};
  for (const [key, value] of Object.entries(document)) {
    if (isConfigKey(key)) {
      if (value !== null) config[key] = value;
      continue;
    }
    const meant = similarName(key, configKeys);
    if (meant !== undefined) refuseOption(key, `spelled \`${meant}\``, key);
    if (passOver === undefined) refuseOption(key, `one of ${configKeys.join(', ')}`, key);
    passOver(key);
  }
  return config;
}

function isConfigKey(key: string): key is ConfigKey {
  return (configKeys as readonly string[]).includes(key);
}

function readFlags(flags: GatewayFlags): Config {
  const { worker, store, allowedHost, ...rest } = flags;
  const config: Config = {};
  for (const [name, value] of Object.entries(rest)) {
    const key = toSnakeCase(name);
    if (value !== undefined && isConfigKey(key)) config[key] = value;
  }
  if (store !== undefined) config.store_worker = store;
  if (allowedHost !== undefined) config.allowed_hosts = allowedHost;
  if (worker !== undefined && worker.length > 0) config.workers = worker.map((url) => ({ url }));
  return config;
}

function toOptions(config: Config): GatewayOptions {
  const options: Record<string, unknown> = {
    host: config.host,
    allowedHosts: config.allowed_hosts,
    port: config.port,
    workers: toWorkers(config.workers),
    store: toStore(config),
    sessionTtlMs: config.session_ttl_ms,
    addLogprobs: config.add_logprobs,
    addTokenIds: config.add_return_token_ids,
    cumulativeTokenMode: config.cumulative_token_mode,
    flavour: config.use_sglang === true ? 'sglang' : undefined,
    stripEngineFields: config.strip_vllm_fields,
    // Also where it is a folder: an engine that was started with it has it as its model's name.
    model: config.model,
    samplingEnforcement: config.sampling_params_priority,
    healthCheckIntervalMs: toInterval(config.health_check_interval),
    healthCheckTimeoutMs: toMilliseconds(config.health_check_timeout),
    healthFailureThreshold: config.health_failure_threshold,
    heartbeat: toCamelCase(config.heartbeat),
    retry: toCamelCase(config.retry),
    sessionsFromKeys: config.sessions_from_keys,
    traceChoices: config.trace_choices,
    keepRawBodies: config.keep_raw_bodies ?? config.capture_raw_payloads,
    whenFull: config.when_full,
    media: config.media,
    auth: toCamelCase(config.auth),
    bodyLimitBytes: config.body_limit_bytes,
    maxConnectionsPerWorker: config.max_connections_per_worker,
    shutdownGraceMs: config.shutdown_grace_ms,
    logLevel: toLogLevel(config.log_level),
  };
  if (config.routing_policy !== undefined) {
    refuseOption(
      'routing_policy',
      'absent: sticky sessions on the least loaded worker are built in',
      config.routing_policy,
    );
  }
  if (config.token_mode !== undefined) {
    refuseOption(
      'token_mode',
      'absent: engines take token ids on their chat route, see cumulative_token_mode',
      config.token_mode,
    );
  }
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

function toWorkers(workers: unknown): WorkerOptions[] | undefined {
  if (workers === undefined) return undefined;
  if (!Array.isArray(workers)) refuseOption('workers', 'a list', workers);
  return workers.map((worker: unknown): WorkerOptions => {
    const given = Object.entries(
      toCamelCase(typeof worker === 'string' ? { url: worker } : worker) as object,
    );
    // Python's configuration has an empty text for "choose one".
    const said = given.filter(([name, value]) => !(name === 'workerId' && value === ''));
    return Object.fromEntries(said) as unknown as WorkerOptions;
  });
}

function toStore(config: Config): StoreOptions | undefined {
  const kind = config.store_worker ?? config.store ?? (config.db_path === undefined ? 'memory' : 'disk');
  const bounds = { maxSessions: config.max_sessions, maxBytes: config.max_bytes } as StoreOptions;
  switch (kind) {
    case 'memory':
    case 'compact':
      return bounds;
    case 'disk':
    case 'sqlite':
      return {
        ...bounds,
        directory: (config.db_path as string | undefined) ?? join(homedir(), '.art', 'gateway'),
      };
    default:
      refuseOption('store', 'memory or disk (sqlite is accepted for disk)', kind);
  }
}

/** In Python's gateway, an interval of 0 or less means that nobody is checked. */
function toInterval(seconds: unknown): unknown {
  return typeof seconds === 'number' && seconds <= 0 ? 0 : toMilliseconds(seconds);
}

function toMilliseconds(seconds: unknown): unknown {
  if (typeof seconds !== 'number') return seconds;
  // Less than a millisecond, but not nothing or less, is the shortest that there is.
  return seconds > 0 ? Math.max(1, Math.round(seconds * 1_000)) : seconds;
}

const pythonLevels: Record<string, string> = { warning: 'warn', critical: 'fatal', notset: 'trace' };

function toLogLevel(level: unknown): unknown {
  if (typeof level !== 'string') return level;
  const lower = level.toLowerCase();
  return pythonLevels[lower] ?? lower;
}

function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** As for the whole file, null is not said. */
function toCamelCase(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value as Record<string, unknown>)
      .filter(([, inner]) => inner !== null)
      .map(([name, inner]) => [
        name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase()),
        inner,
      ]),
  );
}
