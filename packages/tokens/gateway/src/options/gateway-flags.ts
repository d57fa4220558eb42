import { refuseOption } from '@art/ground';
import { type Config, configRules, type KeyRule, toCamel, toOptions } from './config-keys.ts';
import { resolveGatewayOptions } from './resolve-gateway-options.ts';

/** A flag of `art gateway`. */
export interface GatewayFlag {
  /** As a declaration of commander: `--host <address>`. */
  flag: string;
  help: string;
  /**
   * Reads the value from its text; undefined for a flag without one. A repeatable flag adds to `earlier`.
   * @throws ArtError `ART_INVALID_OPTION`
   */
  read: ((text: string, earlier?: unknown) => unknown) | undefined;
}

/** The flags of `art gateway` that set what a configuration file may set, too. */
export const gatewayFlags: readonly GatewayFlag[] = configRules.flatMap(([key, { flag, kind }]) => {
  if (flag === undefined) return [];
  const [declared, help] = flag;
  const read = (text: string, earlier: unknown = []): unknown => {
    const value = readText(kind, declared, text);
    const given = kind === 'list' ? [...(earlier as unknown[]), value] : value;
    resolveGatewayOptions(toOptions(withKey({}, key, given)));
    return given;
  };
  return [{ flag: declared, help, read: kind === 'switch' ? undefined : read }];
});

type Said = Readonly<Record<string, unknown>>;

/**
 * A configuration with what the environment and the command line say over it. An empty variable says nothing.
 * @param flags by their names in camelCase
 * @throws ArtError `ART_INVALID_OPTION`
 */
export function overlay(file: Config, env: Said, flags: Said): Config {
  let config = file;
  const unread = new Set(Object.keys(flags).filter((name) => flags[name] !== undefined));
  for (const [key, { flag: [flag = ''] = [], variable = '', kind }] of configRules) {
    const name = toCamel(flag.split(' ', 1)[0]!.slice(2));
    unread.delete(name);
    const isFlag = flags[name] !== undefined;
    const said = isFlag ? flags[name] : env[variable] || undefined;
    if (said === undefined) continue;
    const value = readText(kind, isFlag ? flag : variable, said);
    config = withKey(config, key, value);
  }
  const [unknown] = unread;
  if (unknown !== undefined) refuseOption('flags', 'those of gatewayFlags', unknown);
  return config;
}

/** @param key with a dot, a member of another one: what else is said of that stays */
function withKey(config: Config, key: string, value: unknown): Config {
  const [outer, member] = key.split('.') as [keyof Config, string | undefined];
  return {
    ...config,
    [outer]: member === undefined ? value : { ...(config[outer] as object), [member]: value },
  };
}

/** @param name of the flag or variable */
function readText(kind: KeyRule['kind'], name: string, said: unknown): unknown {
  if (said === '') refuseOption(name, 'a text that is not empty', said);
  if (typeof said !== 'string') return said;
  if (kind === 'switch') return ['1', 'true', 'yes', 'on'].includes(said.toLowerCase());
  if (kind !== 'number') return said;
  const number = said.trim() === '' ? Number.NaN : Number(said);
  return Number.isFinite(number) ? number : refuseOption(name, 'a number', said);
}
