import type { Clock } from '@art/ground';
import type { CallOptions } from '@art/protocol';
import type { JournalHolder } from '../holder/journal-holder.ts';

/** Whose a segment is. */
export interface SegmentOwner {
  holder: JournalHolder;
  /** The segment by which it claimed the run. */
  claim: number;
}

/** How a run is written, and when its holder counts as gone. */
export interface SegmentSettings {
  clock: Clock;
  /** How long a holder that cannot be seen from here must be silent before its run can be claimed. */
  leaseMs: number;
  /** See `GroupCommit`. */
  gatherMs: number;
  lingerMs: number;
  /** From one upkeep to the next. */
  upkeepMs: number;
}

/**
 * Where a run is kept: a row of numbered segments without gaps, each begun only where its number is free. The owner of the last one
 * owns the run. What is there is never changed but by its writer, so no two claims can succeed.
 */
export interface RunSegments {
  readonly runId: string;
  /** Names the journal in messages. */
  readonly where: string;
  /** The number of the last segment; undefined where there is no run. */
  last(options: CallOptions): Promise<number | undefined>;
  /** The process that holds the run by owning this segment; undefined where it let the run go. */
  owner(segment: number, options: CallOptions): Promise<SegmentOwner | undefined>;
  /**
   * Adds a segment, complete with this text.
   * @throws what keeps it from being written; the signal's reason
   */
  add(segment: number, text: string, options: CallOptions): Promise<'added' | 'taken'>;
  /** Changes whenever the owner of the last segment writes or shows that it lives. */
  signOfLife(last: number, claim: number, options: CallOptions): Promise<string>;
  /** The lines of all segments in order, up to and with `last`. A torn last line of a segment is left out. */
  read(options: CallOptions, last: number): AsyncIterable<readonly string[]>;
  /** A writer that continues in the segment of a claim and behind it. */
  writer(owner: SegmentOwner): Promise<SegmentWriter>;
}

/** Writes a run for its owner. */
export interface SegmentWriter {
  /** The line that lets the run go, where that is done by a line. */
  readonly lastLine?: string;
  /** @throws ArtError `ART_JOURNAL_LOST` where another process has taken the run over; what keeps it from being written */
  write(text: string): Promise<void>;
  /** Regular work: signs of life, forced writes. @throws the error that ends the record, as `write` does */
  keepUp(): Promise<void>;
  /** Gives up whatever is under way of `keepUp`. */
  stopKeepingUp?(): void;
  /** Lets the run go, after its last line. Never throws: others would wait for the end of the lease. */
  release(): Promise<void>;
}
