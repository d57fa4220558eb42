import type { CallOptions } from '@art/protocol';
import { newHolder } from '../holder/journal-holder.ts';
import { processState } from '../holder/process-identity.ts';
import { showsLife } from '../holder/shows-life.ts';
import { encodeRecord } from '../records/record-codec.ts';
import { asJournalFailure, runLocked, runNotFound } from './journal-refusal.ts';
import type { HeldBy } from './rollout-journal.ts';
import type { RunSegments, SegmentOwner, SegmentSettings } from './run-segments.ts';

/**
 * Makes this process the owner of a run that nobody holds, by adding the next segment. Where several try at once its number
 * decides.
 * @throws ArtError `ART_JOURNAL_NOT_FOUND`, `ART_JOURNAL_LOCKED`, `ART_JOURNAL_WRITE_FAILED`, those of a store
 */
export async function claimRun(
  run: RunSegments,
  settings: SegmentSettings,
  options: CallOptions,
): Promise<SegmentOwner> {
  options.signal?.throwIfAborted();
  for (;;) {
    const last = await lastSegment(run, options);
    const owner = await run.owner(last, options);
    if (owner !== undefined) {
      const heldBy = await holding(owner);
      const isAlive =
        heldBy.state === 'alive' ||
        (heldBy.state === 'unknown' &&
          (await showsLife(() => run.signOfLife(last, owner.claim, options), settings, options.signal)));
      if (isAlive) throw runLocked(run.runId, heldBy);
    }
    const claimed = await claimSegment(run, last + 1, [], settings, options);
    if (claimed !== undefined) return claimed;
  }
}

/** @throws ArtError `ART_JOURNAL_NOT_FOUND` */
export async function heldBy(run: RunSegments, options: CallOptions): Promise<HeldBy | undefined> {
  const owner = await run.owner(await lastSegment(run, options), options);
  return owner && holding(owner);
}

/** @throws ArtError `ART_JOURNAL_NOT_FOUND` */
export async function lastSegment(run: RunSegments, options: CallOptions): Promise<number> {
  const last = await run.last(options);
  if (last === undefined) throw runNotFound(run.runId, run.where);
  return last;
}

async function holding({ holder }: SegmentOwner): Promise<HeldBy> {
  return { holder, state: await processState(holder) };
}

/** @returns undefined where the number is taken. @throws ArtError `ART_JOURNAL_WRITE_FAILED` */
export async function claimSegment(
  run: RunSegments,
  claim: number,
  lines: readonly string[],
  { clock }: SegmentSettings,
  options: CallOptions,
): Promise<SegmentOwner | undefined> {
  const owner: SegmentOwner = { holder: await newHolder(clock.epochMs()), claim };
  const text = `${[encodeRecord({ type: 'owner', ...owner }), ...lines].join('\n')}\n`;
  try {
    return (await run.add(claim, text, options)) === 'added' ? owner : undefined;
  } catch (error) {
    options.signal?.throwIfAborted();
    throw asJournalFailure(run, error);
  }
}
