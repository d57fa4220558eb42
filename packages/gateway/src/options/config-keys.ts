import { homedir } from 'node:os';
import { join } from 'node:path';
import { refuseOption } from '@art/protocol';
import type { WorkerOptions } from '../routing/worker.ts';
import type { GatewayOptions, StoreOptions } from './gateway-options.ts';

/** A key of the configuration file: the option that it sets and how its value is read. */
type KeyRule =
  | { option: keyof GatewayOptions; read?: (value: unknown) => unknown }
  /** Read by whoever reads the whole file. */
  | 'elsewhere'
  /** Written for rllm-model-gateway; means nothing here. */
  | 'passed over'
  /** Refused, with what to do instead. */
  | { refused: string };

/**
 * All keys of a configuration file: the names of rllm-model-gateway, and for what only this gateway has its own option names in
 * snake_case. Of two keys for one option the later one wins.
 */
const keyRules = {
  host: { option: 'host' },
  allowed_hosts: { option: 'allowedHosts' },
  port: { option: 'port' },
  processes: 'elsewhere',
  workers: { option: 'workers', read: toWorkers },
  use_sglang: { option: 'flavour', read: (isSglang) => (isSglang === true ? 'sglang' : undefined) },
  store: 'elsewhere',
  store_worker: 'elsewhere',
  db_path: 'elsewhere',
  max_sessions: 'elsewhere',
  max_bytes: 'elsewhere',
  session_ttl_ms: { option: 'sessionTtlMs' },
  add_logprobs: { option: 'addLogprobs' },
  add_return_token_ids: { option: 'addTokenIds' },
  cumulative_token_mode: { option: 'cumulativeTokenMode' },
  strip_vllm_fields: { option: 'stripEngineFields' },
  // Also where it is a folder: an engine that was started with it has it as its model's name.
  model: { option: 'model' },
  sampling_params_priority: { option: 'samplingEnforcement' },
  when_full: { option: 'whenFull' },
  media: { option: 'media' },
  health_check_interval: { option: 'healthCheckIntervalMs', read: toInterval },
  health_check_timeout: { option: 'healthCheckTimeoutMs', read: toMilliseconds },
  health_failure_threshold: { option: 'healthFailureThreshold' },
  heartbeat: { option: 'heartbeat', read: toCamelCase },
  retry: { option: 'retry', read: toCamelCase },
  sessions_from_keys: { option: 'sessionsFromKeys' },
  trace_choices: { option: 'traceChoices' },
  capture_raw_payloads: { option: 'keepRawBodies' },
  keep_raw_bodies: { option: 'keepRawBodies' },
  auth: { option: 'auth', read: toCamelCase },
  body_limit_bytes: { option: 'bodyLimitBytes' },
  max_connections_per_worker: { option: 'maxConnectionsPerWorker' },
  shutdown_grace_ms: { option: 'shutdownGraceMs' },
  log_level: { option: 'logLevel', read: toLogLevel },
  // Traces are always stored before the agent has its reply.
  sync_traces: 'passed over',
  // The engine knows its window.
  max_model_len: 'passed over',
  // The bridge between two turns needs no knowledge of the model's family.
  renderer_family: 'passed over',
  renderer_name: 'passed over',
  // The lag of the event loop is always measured.
  loop_health_enabled: 'passed over',
  // SGLang is started with its parsers.
  sglang_tool_call_parser: 'passed over',
  sglang_reasoning_parser: 'passed over',
  routing_policy: { refused: 'absent: sticky sessions on the least loaded worker are built in' },
  token_mode: {
    refused: 'absent: engines take token ids on their chat route, see cumulative_token_mode',
  },
} as const satisfies Record<string, KeyRule>;

export type ConfigKey = keyof typeof keyRules;
export type Config = Partial<Record<ConfigKey, unknown>>;
export const configKeys = Object.keys(keyRules) as readonly ConfigKey[];

export function isConfigKey(key: string): key is ConfigKey {
  return Object.hasOwn(keyRules, key);
}

/** The options that a configuration asks for; their values are checked by `resolveGatewayOptions`. @throws ArtError `ART_INVALID_OPTION` */
export function toOptions(config: Config): GatewayOptions {
  const options: Record<string, unknown> = { store: toStore(config) };
  for (const [key, rule] of Object.entries(keyRules) as [ConfigKey, KeyRule][]) {
    const value = config[key];
    if (value === undefined || typeof rule === 'string') continue;
    if ('refused' in rule) refuseOption(key, rule.refused, value);
    const read = rule.read === undefined ? value : rule.read(value);
    if (read !== undefined) options[rule.option] = read;
  }
  return options;
}

function toWorkers(workers: unknown): WorkerOptions[] {
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

function toStore(config: Config): StoreOptions {
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
