import { ArtError, joinSentences } from '@art/ground';
import { describeHolder } from '../holder/journal-holder.ts';
import type { HeldBy } from './rollout-journal.ts';

/** @param where names the journal, for the message. */
export function runNotFound(runId: string, where: string): ArtError {
  return new ArtError({
    code: 'ART_JOURNAL_NOT_FOUND',
    message: `Expected a run ${JSON.stringify(runId)} in ${where}, found none. Check the id and the place of the journal.`,
  });
}

export function runExists(runId: string, where: string): ArtError {
  return new ArtError({
    code: 'ART_JOURNAL_EXISTS',
    message: `Expected ${where} to have no run ${JSON.stringify(runId)} yet. Resume it, remove it, or choose another runId.`,
  });
}

export function runLocked(runId: string, { holder, state }: HeldBy): ArtError {
  const advice =
    state === 'unknown'
      ? 'It cannot be seen from here; it gives signs of life.'
      : 'Wait until it has ended, or end it.';
  return new ArtError({
    code: 'ART_JOURNAL_LOCKED',
    message: `Run ${JSON.stringify(runId)} is held by ${describeHolder(holder)}. ${advice}`,
  });
}

export function runTakenOver(runId: string): ArtError {
  return new ArtError({
    code: 'ART_JOURNAL_LOST',
    message: `Another process has taken run ${JSON.stringify(runId)} over, because this one gave no sign of life for too long. It continues there; the sessions were left to it.`,
  });
}

export function journalWriteFailed(runId: string, where: string, cause: unknown): ArtError {
  return new ArtError({
    code: 'ART_JOURNAL_WRITE_FAILED',
    message: joinSentences(
      `Run ${JSON.stringify(runId)} could not be recorded in ${where}: ${(cause as Error).message}`,
      'Nothing new is started without its record; make room or repair the store, then resume the run.',
    ),
    cause,
  });
}

/** The error of a run for a failed write: refusals keep their code. */
export function asJournalFailure(
  { runId, where }: { runId: string; where: string },
  error: unknown,
): ArtError {
  return ArtError.isInstance(error) ? error : journalWriteFailed(runId, where, error);
}
