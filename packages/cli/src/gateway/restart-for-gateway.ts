import { gatewayExecArgv } from '@art/gateway/exec-argv';

/** What is needed of `process`. */
export type RestartableProcess = Pick<
  NodeJS.Process,
  'argv' | 'connected' | 'env' | 'execArgv' | 'execPath'
> & { execve?: NodeJS.Process['execve'] | undefined };

/**
 * Starts the program anew in the same process, with Node's own arguments for a gateway, which it takes at its start only.
 * Does nothing where they are set, where Node cannot do that (Windows, before 22.15), and where a parent talks to it over
 * a channel, which would not survive.
 */
export function restartForGateway(program: RestartableProcess): void {
  const { argv, connected, env, execArgv, execPath } = program;
  const wanted = gatewayExecArgv(execArgv, env['NODE_OPTIONS']);
  if (wanted.length === execArgv.length || connected || program.execve === undefined) return;
  program.execve(execPath, [execPath, ...wanted, ...argv.slice(1)], env);
}
