import { ArtError, describeValue } from '@art/protocol';

export interface ListenOptions {
  /** 0 picks a free port. @default the environment variable PORT, else 8080 */
  port?: number;
  /** @default the environment variable ART_HOST, else '0.0.0.0' */
  host?: string;
}

/**
 * Where to listen: the options, else `PORT` and `ART_HOST`, else what AgentCore's contract asks for, 0.0.0.0:8080. Not
 * `HOST`: conda's compilers set it to the name of a platform.
 */
export function listenAddress(
  options: ListenOptions = {},
  environment: NodeJS.ProcessEnv = process.env,
): { port: number; host: string } {
  const { PORT: fromEnvironment, ART_HOST: hostFromEnvironment = '' } = environment;
  const host = options.host ?? (hostFromEnvironment === '' ? '0.0.0.0' : hostFromEnvironment);
  if (typeof host !== 'string' || host === '') {
    refuse(`Expected host to be a non-empty string, got ${describeValue(host)}.`);
  }
  if (options.port !== undefined) return { port: checkPort('port', options.port, options.port), host };
  if (fromEnvironment === undefined || fromEnvironment === '') return { port: 8080, host };
  const parsed = /^\d+$/.test(fromEnvironment) ? Number(fromEnvironment) : Number.NaN;
  return { port: checkPort('the environment variable PORT', parsed, fromEnvironment), host };
}

function checkPort(name: string, port: number, given: unknown): number {
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  return refuse(`Expected ${name} to be an integer from 0 to 65535, got ${describeValue(given)}.`);
}

function refuse(message: string): never {
  throw new ArtError({ code: 'ART_INVALID_OPTION', message });
}
