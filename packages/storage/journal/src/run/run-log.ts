import type { Clock } from '@art/ground';
import type { CallOptions } from '@art/protocol';
import { RunHistory, type OpenSession, type PastRollout } from '../history/run-history.ts';
import type { LineLog, RolloutJournal } from '../log/rollout-journal.ts';
import type { JournalRecord, RunHeader } from '../records/journal-record.ts';
import { encodeRecord } from '../records/record-codec.ts';
import { RolloutLog, type IntendedWork } from './rollout-log.ts';

/**
 * A run while this process holds it: what earlier processes left, and its record, line by line. Intentions and acknowledgements are
 * waited for; everything else is written soon, in order, for all of it can be found out again.
 */
export class RunLog {
  readonly header: RunHeader;
  /** The journal's record of it when it was claimed. */
  readonly history: RunHistory;
  readonly #lines: LineLog;
  readonly #clock: Clock;
  /** Rollouts of earlier processes that this one looks after, with their sessions. */
  readonly #adopted = new Set<number>();
  readonly #openByItem: Map<string, OpenSession[]>;
  #nextRollout: number;

  constructor(lines: LineLog, history: RunHistory, clock: Clock) {
    this.header = history.run;
    this.history = history;
    this.#lines = lines;
    this.#clock = clock;
    this.#openByItem = Map.groupBy(history.openSessions(), ({ item }) => item);
    this.#nextRollout = history.nextRollout;
  }

  /**
   * Claims a run where earlier processes left it.
   * @throws ArtError `ART_JOURNAL_NOT_FOUND`, `ART_JOURNAL_LOCKED`, `ART_JOURNAL_CORRUPT`, `ART_JOURNAL_WRITE_FAILED`
   */
  static async open(
    journal: RolloutJournal,
    runId: string,
    { clock, signal }: CallOptions & { clock: Clock },
  ): Promise<RunLog> {
    const lines = await journal.open(runId, { signal });
    try {
      return new RunLog(lines, await RunHistory.read(lines.read({ signal })), clock);
    } catch (error) {
      await lines.close();
      throw error;
    }
  }

  /** Aborts when nothing more can be written; its reason is an ArtError. */
  get broken(): AbortSignal {
    return this.#lines.broken;
  }

  /** A rollout that is about to begin. */
  newRollout(work: IntendedWork): RolloutLog {
    return new RolloutLog(this.#nextRollout++, this, work);
  }

  /** A rollout that an earlier process began, by its number. */
  rollout(rollout: number): RolloutLog {
    return new RolloutLog(rollout, this);
  }

  /** This process looks after a rollout of an earlier one, and after its session. @returns where its steps are written down */
  adopt({ rollout }: PastRollout): RolloutLog {
    this.#adopted.add(rollout);
    return this.rollout(rollout);
  }

  /** @throws ArtError `ART_JOURNAL_WRITE_FAILED`, `ART_JOURNAL_LOST` */
  acknowledge(item: string): Promise<void> {
    return this.commit({ type: 'acknowledged', item, atMs: this.nowMs });
  }

  sourceEnded(count: number): void {
    this.append({ type: 'source_ended', count });
  }

  /** @throws ArtError `ART_JOURNAL_WRITE_FAILED`, `ART_JOURNAL_LOST` */
  finished(): Promise<void> {
    return this.commit({ type: 'finished', atMs: this.nowMs });
  }

  /** Releases the run. Idempotent. */
  close(): Promise<void> {
    return this.#lines.close();
  }

  /** Adds a line soon; none after the record has broken. */
  append(record: JournalRecord): void {
    if (!this.broken.aborted) this.#lines.append(encodeRecord(record));
  }

  /** @throws ArtError `ART_JOURNAL_WRITE_FAILED`, `ART_JOURNAL_LOST` */
  commit(record: JournalRecord): Promise<void> {
    return this.#lines.commit(encodeRecord(record));
  }

  /** Sessions that an earlier process was done with and has not been seen to stop; they are the caller's to stop now. */
  takeSettledSessions(): OpenSession[] {
    return this.#takeWhere((session) => session.isSettled);
  }

  /** Sessions of an item that nobody will look after any more, now that the item is settled. */
  takeSessionsOf(item: string): OpenSession[] {
    const ofItem = this.#openByItem.get(item);
    if (ofItem === undefined) return [];
    this.#openByItem.delete(item);
    return this.#takeAll(ofItem);
  }

  /** Every session of earlier processes that nobody looks after. */
  takeForsakenSessions(): OpenSession[] {
    return this.#takeWhere(() => true);
  }

  /** For lines: whole milliseconds since 1970. */
  get nowMs(): number {
    return Math.max(0, Math.round(this.#clock.epochMs()));
  }

  #takeWhere(isMeant: (session: OpenSession) => boolean): OpenSession[] {
    return this.#takeAll([...this.#openByItem.values()].flat().filter(isMeant));
  }

  #takeAll(sessions: readonly OpenSession[]): OpenSession[] {
    const left = sessions.filter(({ rollout }) => !this.#adopted.has(rollout));
    for (const { rollout } of left) this.#adopted.add(rollout);
    return left;
  }
}
