import { fork, type ChildProcess } from 'node:child_process';
import { ArtError, type ErrorCode } from '@art/protocol';
import type { ResolvedGatewayOptions } from '../options/resolve-gateway-options.ts';
import type { MessageFromShard, MessageToShard } from './shard-messages.ts';

/** Forks a gateway process: from its source where the sources run, from its own bundle where the package is built. */
export function forkShard(): ChildProcess {
  const fromSource = import.meta.url.endsWith('.ts');
  const file = new URL(fromSource ? './gateway-process.ts' : './front/gateway-process.js', import.meta.url);
  return fork(file, {
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: fromSource ? ['--conditions=@art/source'] : process.execArgv,
  });
}

/**
 * Has a forked process start its gateway; resolves when that answers.
 * @throws ArtError what the gateway could not start for; `ART_GATEWAY_PROCESS_LOST` if the process ended
 */
export function startShard(
  child: ChildProcess,
  options: ResolvedGatewayOptions,
  socketPath: string,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onMessage = (message: MessageFromShard): void => {
    if (message.kind === 'ready') finish(resolve);
    else finish(() => reject(startFailure(message)));
  };
  const onExit = (code: number | null, signal: string | null): void =>
    finish(() => reject(processLost(`a gateway process ended with ${signal ?? `code ${code}`}`)));
  const onError = (error: Error): void => finish(() => reject(processLost(error.message, error)));
  const finish = (settle: () => void): void => {
    child.off('message', onMessage).off('exit', onExit).off('error', onError);
    settle();
  };
  child.on('message', onMessage).on('exit', onExit).on('error', onError);
  tellShard(child, { kind: 'start', options, socketPath });
  return promise;
}

/** Tells a process something, if it still listens. */
export function tellShard(child: ChildProcess, message: MessageToShard): void {
  // One that dies at this moment is told by `exit`.
  if (child.connected) child.send(message, () => undefined);
}

function startFailure({ code, message }: Extract<MessageFromShard, { kind: 'failed' }>): ArtError {
  if (code !== undefined) return new ArtError({ code: code as ErrorCode, message });
  return processLost(message);
}

function processLost(reason: string, cause?: unknown): ArtError {
  return new ArtError({
    code: 'ART_GATEWAY_PROCESS_LOST',
    message: `Expected a gateway process to start, but: ${reason}. Its log says more; \`processes: 1\` does without.`,
    cause,
  });
}
