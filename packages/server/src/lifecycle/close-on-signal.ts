const stopSignals = ['SIGTERM', 'SIGINT'] as const;

export interface CloseOnSignalOptions {
  close: () => Promise<void>;
  log: (message: string) => void;
  /** Longest that closing may take; AgentCore kills a stopped container after about ten seconds. */
  limitMs: number;
  /** @default process */
  target?: Pick<NodeJS.Process, 'once' | 'off' | 'exit'>;
}

/**
 * Closes the app when the process is asked to stop, and ends the process afterwards: a handler that goes on regardless
 * would keep it alive. A second signal ends it at once, as the system's default.
 * @returns removes the listeners
 */
export function closeOnSignal({ close, log, limitMs, target = process }: CloseOnSignalOptions): () => void {
  const remove = (): void => {
    for (const name of stopSignals) target.off(name, stop);
  };
  const stop = (name: NodeJS.Signals): void => {
    remove();
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
  for (const name of stopSignals) target.once(name, stop);
  return remove;
}
