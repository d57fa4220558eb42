const stopSignals = ['SIGTERM', 'SIGINT'] as const;

export interface CloseOnSignalOptions {
  close: () => Promise<void>;
  log: (message: string) => void;
  /** Longest that closing may take; AgentCore kills a stopped container after about ten seconds. */
  limitMs: number;
  /** @default process */
  target?: Pick<NodeJS.Process, 'on' | 'off' | 'exit'>;
}

/**
 * Closes the app when the process is asked to stop, and ends the process afterwards: a handler that goes on regardless
 * would keep it alive. Further signals change nothing: closing is bounded, and whoever stops a process group, or stops a
 * process through a wrapper that passes signals on, sends several at once.
 * @returns removes the listeners, unless the process is on its way out already
 */
export function closeOnSignal({ close, log, limitMs, target = process }: CloseOnSignalOptions): () => void {
  let isStopping = false;
  const stop = (name: NodeJS.Signals): void => {
    if (isStopping) {
      log(`Received ${name} again; closing goes on, and ends within ${limitMs} ms of the first`);
      return;
    }
    isStopping = true;
    log(`Received ${name}; ending rollouts and closing`);
    const limit = setTimeout(() => target.exit(1), limitMs);
    void close().then(
      () => {
        clearTimeout(limit);
        target.exit(0);
      },
      () => {
        clearTimeout(limit);
        target.exit(1);
      },
    );
  };
  for (const name of stopSignals) target.on(name, stop);
  return () => {
    // Without a listener the next signal would end the process before it ends by itself, with another exit code.
    if (isStopping) return;
    for (const name of stopSignals) target.off(name, stop);
  };
}
