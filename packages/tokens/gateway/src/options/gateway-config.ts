import { createRequire } from 'node:module';
import { aNumber, optional, refuseOption, similarName } from '@art/ground';
import type * as Yaml from 'yaml';
import { type Config, configKeys, isConfigKey, toOptions } from './config-keys.ts';
import { overlay } from './gateway-flags.ts';
import type { GatewayOptions } from './gateway-options.ts';
import { resolveGatewayOptions } from './resolve-gateway-options.ts';

/** The configuration from the file, the environment and the command line. */
export interface GatewayConfig {
  options: GatewayOptions;
  /** How many independent gateways, which `startGateway` does not know of: each is its own process, at its own address. */
  processes: number;
}

// More would spend their time on each other.
const processCount = optional(aNumber({ min: 1, max: 128, integer: true }), 1);

/**
 * Reads the configuration of a YAML file's text, the environment and the command line, each replacing the one before,
 * with the names of rllm-model-gateway in snake_case and, for options that only this gateway has, its own option names
 * in snake_case.
 * @param flags values for {@link gatewayFlags}, by their names in camelCase: `{ port: '0', allowedHost: ['h'] }`
 * @param passOver gets keys of the file that are unknown here, and that are no misspelling of a known one: a newer
 * rllm-model-gateway may write them. Without it they are refused.
 * @throws ArtError `ART_INVALID_OPTION`
 */
export function readGatewayConfig(
  yamlText: string | undefined,
  env: Readonly<Record<string, string | undefined>> = {},
  flags: Readonly<Record<string, unknown>> = {},
  passOver?: (key: string) => void,
): GatewayConfig {
  const config = overlay(readYaml(yamlText ?? '', passOver), env, flags);
  const options = toOptions(config);
  resolveGatewayOptions(options);
  return { options, processes: processCount(config.processes, 'processes') };
}

function readYaml(text: string, passOver: ((key: string) => void) | undefined): Config {
  const config: Config = {};
  if (text === '') return config;
  // Only here: its seventy files are for those that have a configuration, and this function waits for nothing.
  const yaml = createRequire(import.meta.url)('yaml') as typeof Yaml;
  let document: unknown;
  try {
    document = yaml.parse(text) ?? {};
  } catch (error) {
    if (!(error instanceof yaml.YAMLParseError)) throw error;
    refuseOption('config', `YAML (${error.message.split('\n', 1)[0]})`, text);
  }
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    refuseOption('config', 'a YAML mapping', document);
  }
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
