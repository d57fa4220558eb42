import { writeSync } from 'node:fs';
import { ArtError, describeValue, readMember, refuseOption } from '@art/ground';

/** Options of `run` and `listen`. */
export interface ListenOptions {
  /** 0 picks a free port. @default the environment variable PORT, else 8080 */
  port?: number;
  /** Address to listen on. @default the environment variable ART_HOST, else '0.0.0.0' */
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
    refuseOption('host', 'a non-empty string', host);
  }
  if (options.port !== undefined) return { port: checkPort('port', options.port, options.port), host };
  if (fromEnvironment === undefined || fromEnvironment === '') return { port: 8080, host };
  const parsed = /^\d+$/.test(fromEnvironment) ? Number(fromEnvironment) : Number.NaN;
  return { port: checkPort('PORT', parsed, fromEnvironment), host };
}

/** An error that says why listening failed and what to do; any other error is returned as it is. */
export function listenFailure(error: unknown, { port, host }: { port: number; host: string }): unknown {
  const choose = 'Choose another port by run({ port }) or the environment variable PORT.';
  switch (readMember(error, 'code')) {
    case 'EADDRINUSE':
      return new ArtError({
        code: 'ART_PORT_TAKEN',
        message: `Port ${port} of ${host} is taken by another program. Stop that, or choose another port by run({ port }) or the environment variable PORT.`,
        cause: error,
      });
    case 'EACCES':
      return new ArtError({
        code: 'ART_INVALID_OPTION',
        message: `This user may not listen at port ${port} of ${host}. ${choose}`,
        cause: error,
      });
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new ArtError({
        code: 'ART_INVALID_OPTION',
        message: `Expected \`host\` to be an address of this machine, or 0.0.0.0 for all of them, got ${describeValue(host)}.`,
        cause: error,
      });
    default:
      return error;
  }
}

function checkPort(name: string, port: number, given: unknown): number {
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  refuseOption(name, 'an integer from 0 to 65535', given);
}

/** Ends a process that could not begin its work, with one line that says why: a stack would hide it. */
export function endBeforeStart({ code, message }: { code: string; message: string }): never {
  writeSync(2, `${code}: ${message}\n`);
  process.exit(1);
}
