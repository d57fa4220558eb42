import { callWithin } from '@art/ground';
import type { FastifyBaseLogger } from 'fastify';

const stopSignals = ['SIGTERM', 'SIGINT'] as const;

export interface OwnProcessOptions {
  /** Called when the process is asked to stop, once. */
  close: () => Promise<void>;
  /** Sees to what is unfinished after an error that nobody caught. Called in the async context of the error, once. */
  crash: (error: unknown) => Promise<void>;
  log: Pick<FastifyBaseLogger, 'info' | 'fatal'>;
  /** Longest that either may take; AgentCore kills a stopped container after about ten seconds. */
  limitMs: number;
  /** @default process */
  target?: Pick<NodeJS.Process, 'on' | 'off' | 'exit'>;
}

/**
 * Takes charge of the end of the process.
 * - When it is asked to stop it closes, and ends with code 0: a handler that continues regardless would keep it alive. Further
 *   signals change nothing: closing is bounded, and anyone who stops a process group, or stops a process through a wrapper that
 *   passes signals on, sends several at once.
 * - When an error was caught by nobody, a throw in a callback or a rejected promise that nobody waited for, it ends with code
 *   1. What the process was working on cannot be relied on after that, but it can still be told to those who wait for it.
 * @returns removes the listeners, but not those of signals where the process is on its way out already
 */
export function ownProcess({ close, crash, log, limitMs, target = process }: OwnProcessOptions): () => void {
  let isStopping = false;
  let isCrashing = false;
  const exitAfter = async (work: Promise<void>, code: number): Promise<void> => {
    const exitCode = await callWithin(() => work, { timeoutMs: limitMs }).then(
      () => code,
      () => 1,
    );
    target.exit(exitCode);
  };
  const onSignal = (name: NodeJS.Signals): void => {
    if (isStopping) {
      log.info(`Received ${name} again; closing continues, and ends within ${limitMs} ms of the first`);
      return;
    }
    isStopping = true;
    log.info(`Received ${name}; ending rollouts and closing`);
    void exitAfter(close(), 0);
  };
  // Without a listener for rejections of its own, Node raises them here.
  const onStray = (error: unknown, origin: NodeJS.UncaughtExceptionOrigin): void => {
    const what = origin === 'unhandledRejection' ? 'A promise was rejected' : 'An error was thrown';
    const then = isCrashing ? 'the process is ending already' : 'the process ends';
    log.fatal({ err: error }, `${what} and nobody caught it; ${then}`);
    if (isCrashing) return;
    isCrashing = true;
    void exitAfter(crash(error), 1);
  };
  for (const name of stopSignals) target.on(name, onSignal);
  target.on('uncaughtException', onStray);
  return () => {
    target.off('uncaughtException', onStray);
    // Without a listener the next signal would end the process before it ends by itself, with another exit code.
    if (isStopping) return;
    for (const name of stopSignals) target.off(name, onSignal);
  };
}
