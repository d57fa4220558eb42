import type { CallOptions } from '@art/protocol';
import type { JournalHolder } from '../holder/journal-holder.ts';

/** The lines of one run, held by this process for writing. */
export interface LineLog {
  /** The lines that were there when the run was claimed, oldest first, in portions. A torn last line is left out. */
  read(options?: CallOptions): AsyncIterable<readonly string[]>;
  /** Adds a line soon; nobody waits for it. It is written before every line that is added after it. */
  append(line: string): void;
  /**
   * Adds a line; resolves when it, and all before it, are as durable as this journal makes them.
   * @throws ArtError `ART_JOURNAL_WRITE_FAILED`, `ART_JOURNAL_LOST`
   */
  commit(line: string): Promise<void>;
  /**
   * Aborts when nothing more can be written, with an ArtError as its reason: `ART_JOURNAL_WRITE_FAILED`, or
   * `ART_JOURNAL_LOST` where another process has taken the run over.
   */
  readonly broken: AbortSignal;
  /** Writes what is left and lets go of the run. Idempotent; never throws, for `broken` has told. */
  close(): Promise<void>;
}

/** A holder that has not let go of a run. */
export interface HeldBy {
  holder: JournalHolder;
  /** `dead`: anybody can claim the run. `unknown`: on another machine, where only waiting would tell. */
  state: 'alive' | 'dead' | 'unknown';
}

/**
 * Where the records of batches are kept: lines of text by run. Two are ready, `FileJournal` and `StoreJournal`; what the
 * lines mean is no concern of theirs. At most one process writes a run at a time.
 */
export interface RolloutJournal {
  /**
   * Starts a run that has these lines, all of them or none, and claims it.
   * @throws ArtError `ART_JOURNAL_EXISTS`, `ART_JOURNAL_WRITE_FAILED`
   */
  create(runId: string, lines: readonly string[], options?: CallOptions): Promise<LineLog>;
  /**
   * Claims a run. Of any number of processes that try at once exactly one succeeds.
   * @throws ArtError `ART_JOURNAL_NOT_FOUND`, `ART_JOURNAL_LOCKED`, `ART_JOURNAL_WRITE_FAILED`
   */
  open(runId: string, options?: CallOptions): Promise<LineLog>;
  /** The lines of a run, anyone who holds it. @throws ArtError `ART_JOURNAL_NOT_FOUND` */
  read(runId: string, options?: CallOptions): AsyncIterable<readonly string[]>;
  /**
   * The holder that has not let go of a run, also a process that was killed; undefined where every one has. @throws
   * ArtError `ART_JOURNAL_NOT_FOUND`
   */
  heldBy(runId: string, options?: CallOptions): Promise<HeldBy | undefined>;
  /** Ids of all runs, sorted. */
  list(options?: CallOptions): Promise<string[]>;
  /**
   * Forgets a run that nobody holds.
   * @throws ArtError `ART_JOURNAL_NOT_FOUND`, `ART_JOURNAL_LOCKED`
   */
  remove(runId: string, options?: CallOptions): Promise<void>;
}
