import { resolve } from 'node:path';
import { readGatewayConfig, type GatewayOptions } from '@art/gateway';
import { tokenEngine, type TokenEngineOptions } from '@art/token-engine';
import { readOptionFile } from '../arguments/read-option-file.ts';
import type { CliContext } from '../cli-context.ts';
import type { GatewayRunOptions } from '../commands/gateway-command.ts';

/** What `art gateway` runs. */
export interface GatewayRun {
  /** How many independent gateways. */
  processes: number;
  options: GatewayOptions;
}

/**
 * Options of the gateway: file, environment, command line, each winning over the one before.
 * @param passOver gets keys of the file that this gateway does not have
 * @throws ArtError `ART_INVALID_OPTION`
 */
export function resolveGatewayRun(
  { config, adminToken, sessionKeys, ...flags }: Omit<GatewayRunOptions, 'json'>,
  { cwd, env }: Pick<CliContext, 'cwd' | 'env'>,
  passOver: (key: string) => void,
): GatewayRun {
  const dbPath = flags.dbPath === undefined ? undefined : resolve(cwd, flags.dbPath);
  const text =
    config === undefined
      ? undefined
      : readOptionFile('--config', 'a YAML file that can be read', config, cwd);
  const { options, tokenMode, processes } = readGatewayConfig(text, env, { ...flags, dbPath }, passOver);
  const auth = {
    ...options.auth,
    ...(adminToken !== undefined && { adminToken }),
    ...(sessionKeys !== undefined && { sessionKeys }),
  };
  return {
    processes,
    options: {
      ...options,
      // The token engine checks what the file says of it.
      ...(tokenMode !== undefined && { transport: tokenEngine(tokenMode as unknown as TokenEngineOptions) }),
      ...(Object.keys(auth).length > 0 && { auth }),
      // This command tells of its start, its end and its workers itself.
      logLevel: options.logLevel ?? 'error',
    },
  };
}
