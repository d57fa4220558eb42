import { homedir } from 'node:os';
import { join } from 'node:path';
import { refuseOption } from '@art/ground';
import type { WorkerOptions } from '../routing/worker.ts';
import type { GatewayOptions, StoreOptions } from './gateway-options.ts';

/** The meaning of one configuration key, and the other places where it can be set. */
export interface KeyRule {
  /** The option that it sets; none where it is read with others, or means nothing here. */
  option?: keyof GatewayOptions;
  read?: (value: unknown) => unknown;
  /** The remedy, for a key that is refused. */
  refused?: string;
  /** How `art gateway` has it, and what its help says. */
  flag?: readonly [flag: string, help: string];
  /** The environment's name of it. */
  variable?: string;
  /** Type of a flag's or a variable's text. @default 'text' */
  kind?: 'text' | 'number' | 'switch' | 'list';
}

/**
 * All keys of a configuration, with their flags and variables: the names of rllm-model-gateway, and for what only this gateway has
 * its own option names in snake_case. Of two keys for one option the later one wins. A key with a dot is a member of another one,
 * and is written there in the file.
 */
const keyRules = {
  host: {
    option: 'host',
    flag: ['--host <address>', 'address to listen on (default: 127.0.0.1)'],
    variable: 'RLLM_GATEWAY_HOST',
  },
  allowed_hosts: {
    option: 'allowedHosts',
    kind: 'list',
    flag: [
      '--allowed-host <name>',
      "name by which agents call it, such as a tunnel's; repeatable, * is any (default: on loopback its own)",
    ],
  },
  port: {
    option: 'port',
    kind: 'number',
    flag: ['--port <number>', 'port; 0 takes a free one (default: 9090)'],
    variable: 'RLLM_GATEWAY_PORT',
  },
  workers: {
    option: 'workers',
    read: toWorkers,
    kind: 'list',
    flag: ['--worker <url>', 'inference server; repeatable'],
  },
  processes: {
    kind: 'number',
    flag: [
      '--processes <count>',
      'so many independent gateways, at this port and those behind it (default: 1)',
    ],
  },
  store: {},
  store_worker: {
    flag: ['--store <kind>', 'memory, or disk ("sqlite" is taken for it) (default: memory)'],
    variable: 'RLLM_GATEWAY_STORE',
  },
  db_path: {
    flag: ['--db-path <dir>', 'folder of captures that are kept on disk; makes the store "disk"'],
    variable: 'RLLM_GATEWAY_DB_PATH',
  },
  max_sessions: {},
  max_bytes: {},
  session_ttl_ms: { option: 'sessionTtlMs' },
  log_level: {
    option: 'logLevel',
    read: toLogLevel,
    flag: ['--log-level <level>', 'debug, info, warning, error or critical (default: error)'],
    variable: 'RLLM_GATEWAY_LOG_LEVEL',
  },
  // Also where it is a folder: an engine that was started with it has it as its model's name.
  model: { option: 'model', flag: ['--model <name>', "model's name; replaces what agents say"] },
  // The engine knows its window.
  max_model_len: {
    kind: 'number',
    flag: ['--max-model-len <tokens>', 'accepted for compatibility; the engine knows its window'],
  },
  cumulative_token_mode: {
    option: 'cumulativeTokenMode',
    kind: 'switch',
    flag: ['--cumulative-token-mode', 'later turns continue the tokens of earlier ones'],
  },
  // The bridge between two turns needs no knowledge of the model's family.
  renderer_family: { flag: ['--renderer-family <name>', 'accepted for compatibility; not needed'] },
  renderer_name: {},
  use_sglang: {
    option: 'flavour',
    read: (isSglang) => (isSglang === true ? 'sglang' : undefined),
    kind: 'switch',
    flag: ['--use-sglang', 'workers are SGLang unless they say otherwise (default: each is asked)'],
  },
  // SGLang is started with its parsers.
  sglang_tool_call_parser: {
    flag: ['--sglang-tool-call-parser <name>', 'accepted for compatibility; start SGLang with it'],
  },
  sglang_reasoning_parser: {
    flag: ['--sglang-reasoning-parser <name>', 'accepted for compatibility; start SGLang with it'],
  },
  sampling_params_priority: {
    option: 'samplingEnforcement',
    flag: ['--sampling-params-priority <who>', 'session or client: whose sampling parameters win'],
  },
  add_logprobs: { option: 'addLogprobs' },
  add_return_token_ids: { option: 'addTokenIds' },
  strip_vllm_fields: {
    option: 'stripEngineFields',
    kind: 'switch',
    variable: 'RLLM_GATEWAY_STRIP_VLLM_FIELDS',
  },
  when_full: { option: 'whenFull' },
  media: { option: 'media' },
  health_check_interval: { option: 'healthCheckIntervalMs', read: toInterval },
  health_check_timeout: {
    option: 'healthCheckTimeoutMs',
    read: toMilliseconds,
    kind: 'number',
    variable: 'RLLM_GATEWAY_HEALTH_CHECK_TIMEOUT',
  },
  health_failure_threshold: {
    option: 'healthFailureThreshold',
    kind: 'number',
    variable: 'RLLM_GATEWAY_HEALTH_FAILURE_THRESHOLD',
  },
  heartbeat: { option: 'heartbeat', read: toCamelCase },
  retry: { option: 'retry', read: toCamelCase },
  sessions_from_keys: { option: 'sessionsFromKeys' },
  capture_choices: { option: 'captureChoices' },
  capture_raw_payloads: { option: 'keepRawBodies' },
  keep_raw_bodies: { option: 'keepRawBodies' },
  auth: { option: 'auth', read: toCamelCase },
  'auth.admin_token': {
    flag: [
      '--admin-token <token>',
      'ask for it on control routes; ART_GATEWAY_ADMIN_TOKEN does not show it to others',
    ],
    variable: 'ART_GATEWAY_ADMIN_TOKEN',
  },
  'auth.session_keys': {
    kind: 'switch',
    flag: ['--session-keys', "model calls want their session's api_key"],
  },
  body_limit_bytes: { option: 'bodyLimitBytes' },
  max_connections_per_worker: { option: 'maxConnectionsPerWorker' },
  shutdown_grace_ms: { option: 'shutdownGraceMs' },
  // Captures are always stored before the agent has its reply.
  sync_traces: {},
  // The lag of the event loop is always measured.
  loop_health_enabled: {},
  routing_policy: { refused: 'absent: sticky sessions on the least loaded worker are built in' },
  token_mode: {
    refused: 'absent: engines take token ids on their chat route, see cumulative_token_mode',
  },
} as const satisfies Record<string, KeyRule>;

type RuleKey = keyof typeof keyRules;
export type ConfigKey = Exclude<RuleKey, `${string}.${string}`>;
export type Config = Partial<Record<ConfigKey, unknown>>;

/** The rule of each key, members of other keys included. */
export const configRules = Object.entries(keyRules) as [RuleKey, KeyRule][];
export const configKeys = configRules.map(([key]) => key).filter((key) => !key.includes('.')) as ConfigKey[];

export function isConfigKey(key: string): key is ConfigKey {
  return (configKeys as readonly string[]).includes(key);
}

/** The options that a configuration asks for; their values are checked by `resolveGatewayOptions`. @throws ArtError `ART_INVALID_OPTION` */
export function toOptions(config: Config): GatewayOptions {
  const options: Record<string, unknown> = { store: toStore(config) };
  for (const [key, { option, refused, read }] of configRules) {
    const value = config[key as ConfigKey];
    if (value === undefined) continue;
    if (refused !== undefined) refuseOption(key, refused, value);
    const given = read === undefined ? value : read(value);
    if (option !== undefined && given !== undefined) options[option] = given;
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
      .map(([name, inner]) => [toCamel(name), inner]),
  );
}

/** `db-path` and `db_path` as `dbPath`. */
export function toCamel(name: string): string {
  return name.replace(/[_-]([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}
