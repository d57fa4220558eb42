import { settleWithin } from '@art/async';

export interface ExitOnStrayErrorOptions {
  /** Sees to what is unfinished. Called in the async context of the error, once. */
  end: (error: unknown) => Promise<void>;
  log: (error: unknown, message: string) => void;
  /** Longest that this may take. */
  limitMs: number;
  /** @default process */
  target?: Pick<NodeJS.Process, 'on' | 'off' | 'exit'>;
}

/**
 * Ends the process with code 1 when an error was caught by nobody: a throw in a callback, or a rejected promise that
 * nobody waited for. What the process was working on cannot be relied on after that, but it can still be told to whoever
 * waits for it.
 * @returns removes the listener
 */
export function exitOnStrayError({
  end,
  log,
  limitMs,
  target = process,
}: ExitOnStrayErrorOptions): () => void {
  let isEnding = false;
  // Without a listener for rejections of its own, Node raises them here.
  const onStray = (error: unknown, origin: NodeJS.UncaughtExceptionOrigin): void => {
    const what = origin === 'unhandledRejection' ? 'A promise was rejected' : 'An error was thrown';
    log(
      error,
      `${what} and nobody caught it; ${isEnding ? 'the process is ending already' : 'the process ends'}`,
    );
    if (isEnding) return;
    isEnding = true;
    void endWithin(end(error), limitMs, target);
  };
  target.on('uncaughtException', onStray);
  return () => target.off('uncaughtException', onStray);
}

async function endWithin(
  ending: Promise<void>,
  limitMs: number,
  target: Pick<NodeJS.Process, 'exit'>,
): Promise<void> {
  await settleWithin([ending], limitMs);
  target.exit(1);
}
