import type { RolloutEvent } from '../lifecycle/rollout-event.ts';
import type { WatcherTrouble } from '../watcher/completion-watcher-options.ts';

export interface StoreTroubleReporterParts {
  emit: (event: RolloutEvent) => void;
  warn: (message: string) => void;
  epochMs: () => number;
}

// The first failed sweep may be a hiccup; an operator should hear when it lasts.
const failedSweepsToWarn = 5;

/** Turns what the watcher says of its store into events, and into one warning when it lasts. */
export function storeTroubleReporter(parts: StoreTroubleReporterParts): (trouble: WatcherTrouble) => void {
  const { emit, warn, epochMs } = parts;
  return (trouble) => {
    const { failedSweeps } = trouble;
    const atMs = epochMs();
    if (trouble.kind === 'recovered') {
      emit({ type: 'store_recovered', failedSweeps, atMs });
      return;
    }
    emit({ type: 'store_trouble', error: trouble.error, failedSweeps, atMs });
    if (failedSweeps === failedSweepsToWarn) {
      warn(`The result store has failed ${failedSweeps} times in a row: ${(trouble.error as Error).message}`);
    }
  };
}
