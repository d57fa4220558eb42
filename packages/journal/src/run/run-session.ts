import type { Clock } from '@art/async';
import type { CallOptions } from '@art/protocol';
import { RunHistory, type OpenSession, type PastRollout } from '../history/run-history.ts';
import type { RolloutJournal, RunLog } from '../log/rollout-journal.ts';
import { RunRecord, type RolloutPlace, type RolloutRecord } from './run-record.ts';

/** Where a rollout may have been before: an item, or an attempt of a member of a group. */
export type PastPlace = Pick<RolloutPlace, 'index'> & Partial<RolloutPlace>;

/** A run while this process holds it: its record, which items are to be acknowledged, and what earlier processes left. */
export class RunSession {
  readonly record: RunRecord;
  /** What the journal said of it when it was claimed. */
  readonly history: RunHistory;
  /** Rollouts of earlier processes that this one has dealt with, or does. */
  readonly #taken = new Set<number>();
  readonly #openByItem: Map<number, OpenSession[]>;
  /** Items that nobody has acknowledged, and acknowledgements that are being written down. */
  readonly #handedOut = new Set<number>();
  readonly #acknowledging = new Map<number, Promise<void>>();
  #onAllAcknowledged: (() => Promise<void>) | undefined;

  constructor(log: RunLog, history: RunHistory, clock: Clock) {
    this.history = history;
    this.record = new RunRecord(log, history, clock);
    this.#openByItem = Map.groupBy(history.openSessions(), ({ index }) => index);
  }

  /**
   * Claims a run where earlier processes left it.
   * @throws ArtError `ART_JOURNAL_NOT_FOUND`, `ART_JOURNAL_LOCKED`, `ART_JOURNAL_CORRUPT`, `ART_JOURNAL_WRITE_FAILED`
   */
  static async open(
    journal: RolloutJournal,
    runId: string,
    { clock, signal }: CallOptions & { clock: Clock },
  ): Promise<RunSession> {
    const log = await journal.open(runId, { signal });
    try {
      return new RunSession(log, await RunHistory.read(log.read({ signal })), clock);
    } catch (error) {
      await log.close();
      throw error;
    }
  }

  /** Whether every item that was handed out is acknowledged. */
  get isAcknowledged(): boolean {
    return this.#handedOut.size === 0;
  }

  handOut(index: number): void {
    this.#handedOut.add(index);
  }

  /** Resolves when it is written down; a second call for an item does nothing more. */
  acknowledge(index: number): Promise<void> {
    const known = this.#acknowledging.get(index);
    if (known !== undefined) return known;
    if (!this.#handedOut.has(index)) return Promise.resolve();
    const acknowledging = this.#acknowledgeOnce(index);
    this.#acknowledging.set(index, acknowledging);
    // Whoever waits for it hears of a failure, and the run itself does.
    acknowledging.catch(() => undefined);
    return acknowledging;
  }

  /** Nothing more will be handed out: the last acknowledgement resolves only after this. */
  onAllAcknowledged(end: () => Promise<void>): void {
    this.#onAllAcknowledged = end;
  }

  /** Rollouts of earlier processes, in order. */
  pastOf({ index, member, attempt }: PastPlace): readonly PastRollout[] {
    const all = this.history.rolloutsOf(index);
    if (member === undefined) return all;
    return all.filter((past) => past.member === member && past.attempt === attempt);
  }

  /** This process looks after a rollout of an earlier one, and after its session. @returns where its steps are written down */
  adopt({ rollout }: PastRollout): RolloutRecord {
    this.#taken.add(rollout);
    return this.record.rollout(rollout);
  }

  /** Sessions that an earlier process was done with and has not been seen to stop; they are the caller's to stop now. */
  takeSettledSessions(): OpenSession[] {
    return this.#takeWhere((session) => session.isSettled);
  }

  /** Sessions of an item that nobody will look after any more, now that the item is settled. */
  takeSessionsOf(index: number): OpenSession[] {
    const ofItem = this.#openByItem.get(index);
    if (ofItem === undefined) return [];
    this.#openByItem.delete(index);
    return this.#takeAll(ofItem);
  }

  /** Every session of earlier processes that nobody looks after. */
  takeForsakenSessions(): OpenSession[] {
    return this.#takeWhere(() => true);
  }

  async #acknowledgeOnce(index: number): Promise<void> {
    await this.record.acknowledge(index);
    this.#handedOut.delete(index);
    if (this.isAcknowledged) await this.#onAllAcknowledged?.();
    this.#acknowledging.delete(index);
  }

  #takeWhere(isMeant: (session: OpenSession) => boolean): OpenSession[] {
    return this.#takeAll([...this.#openByItem.values()].flat().filter(isMeant));
  }

  #takeAll(sessions: readonly OpenSession[]): OpenSession[] {
    const left = sessions.filter(({ rollout }) => !this.#taken.has(rollout));
    for (const { rollout } of left) this.#taken.add(rollout);
    return left;
  }
}
