import { newHolder, type JournalHolder } from '../holder/journal-holder.ts';
import { processState } from '../holder/process-identity.ts';
import { showsLife } from '../holder/shows-life.ts';
import { runExists, runLocked, runNotFound } from '../log/journal-refusal.ts';
import { encodeRecord } from '../records/record-codec.ts';
import type { HeldBy } from '../log/rollout-journal.ts';
import { storeSegment, type SegmentLogSettings } from './store-segment.ts';
import type { RunKeys } from './run-keys.ts';

/** The segment by which a process owns a run. */
export interface SegmentClaim {
  segment: number;
  holder: JournalHolder;
}

/** @throws ArtError `ART_JOURNAL_EXISTS`, `ART_JOURNAL_WRITE_FAILED` */
export async function claimSegment(
  run: RunKeys,
  segment: number,
  lines: readonly string[],
  settings: SegmentLogSettings,
  signal: AbortSignal | undefined,
): Promise<SegmentClaim> {
  const holder = await newHolder(settings.clock.epochMs());
  // The number of the claim names the owner's signs of life, which others must find from any of its segments.
  const owner = encodeRecord({ type: 'owner', holder, claim: segment });
  const text = `${[owner, ...lines].join('\n')}\n`;
  if ((await storeSegment(run, segment, text, settings, signal)) === 'taken')
    throw runExists(run.runId, run.where);
  return { segment, holder };
}

/**
 * Makes this process the owner of a run that nobody holds, by storing the next segment. Where several try at once the store
 * decides.
 * @throws ArtError `ART_JOURNAL_NOT_FOUND`, `ART_JOURNAL_LOCKED`, `ART_JOURNAL_WRITE_FAILED`, those of the store
 */
export async function claimStoredRun(
  run: RunKeys,
  settings: SegmentLogSettings,
  signal: AbortSignal | undefined,
): Promise<SegmentClaim> {
  const options = { signal };
  for (;;) {
    const last = await run.lastSegment(options);
    if (last === undefined) throw runNotFound(run.runId, run.where);
    const { holder, claim, isReleased } = await run.owner(last, options);
    if (!isReleased) {
      const heldBy: HeldBy = { holder, state: await processState(holder) };
      if (heldBy.state === 'alive') throw runLocked(run.runId, heldBy);
      if (heldBy.state === 'unknown') {
        const isAlive = await showsLife(() => run.signOfLife(last, claim, options), settings, signal);
        if (isAlive) throw runLocked(run.runId, heldBy);
      }
    }
    const next = await newHolder(settings.clock.epochMs());
    const text = `${encodeRecord({ type: 'owner', holder: next, claim: last + 1 })}\n`;
    if ((await storeSegment(run, last + 1, text, settings, signal)) === 'stored')
      return { segment: last + 1, holder: next };
  }
}
