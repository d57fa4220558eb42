import { aNumber, optional, refuseOption, similarName } from '@art/protocol';
import { parse, YAMLParseError } from 'yaml';
import { type Config, configKeys, isConfigKey, toOptions } from './config-keys.ts';
import type { GatewayOptions } from './gateway-options.ts';
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

function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
