import { ArtError, type ErrorCode } from '@art/ground';
import { type RolloutOutcomeKind } from '@art/protocol';
import type { IntendedRecord, JournalRecord, RunHeader } from '../records/journal-record.ts';
import { decodeRecord } from '../records/record-codec.ts';

/** How far an earlier process saw a rollout come. */
export type PastState =
  /** About to be sent; maybe sent. */
  | { phase: 'intended' }
  | { phase: 'accepted'; speaksRip: boolean }
  | {
      phase: 'settled';
      outcome: RolloutOutcomeKind;
      reward: number | undefined;
      errorCode: ErrorCode | undefined;
      settledAtMs: number;
    };

/** A rollout of an item that no consumer has acknowledged. */
export interface PastRollout extends Omit<IntendedRecord, 'type' | 'atMs' | 'item'> {
  /** Id of its item. */
  item: string;
  submittedAtMs: number;
  state: PastState;
}

/** A session that has not been seen to end. */
export interface OpenSession {
  sessionId: string;
  /** Number of its rollout in the journal. */
  rollout: number;
  /** Id of the item that it worked for. */
  item: string;
  submittedAtMs: number;
  /** True if the outcome of its rollout is known: then nothing waits for it. */
  isSettled: boolean;
}

/** How many rollouts of a run are where; retries and replacements count one by one. */
export interface RolloutCounts {
  intended: number;
  accepted: number;
  settled: Partial<Record<RolloutOutcomeKind, number>>;
}

/**
 * A journal's record of a run, read record by record. An item that is acknowledged costs its id and its digest; only
 * open ones are kept in full.
 */
export class RunHistory {
  readonly counts: RolloutCounts = { intended: 0, accepted: 0, settled: {} };
  readonly #rollouts = new Map<number, PastRollout>();
  readonly #openItems = new Map<string, PastRollout[]>();
  readonly #sessions = new Map<number, OpenSession>();
  /** Ids with the digests of what was sent; undefined for an item that could not be sent. */
  readonly #acknowledged = new Map<string, string | undefined>();
  #run: RunHeader | undefined;
  #sourceCount: number | undefined;
  #isFinished = false;
  #rolloutCount = 0;
  #reachedEnd = 0;
  #lastAtMs = 0;
  #agentSpeaksRip: boolean | undefined;
  #lineNumber = 0;

  /** The history of a run that begins with these lines. */
  static of(lines: readonly string[]): RunHistory {
    const history = new RunHistory();
    for (const line of lines) history.#addLine(line);
    return history;
  }

  /** @throws ArtError `ART_JOURNAL_CORRUPT` */
  static async read(portions: AsyncIterable<readonly string[]>): Promise<RunHistory> {
    const history = new RunHistory();
    for await (const lines of portions) for (const line of lines) history.#addLine(line);
    if (history.#run === undefined) {
      throw new ArtError({
        code: 'ART_JOURNAL_CORRUPT',
        message: 'The journal does not begin with a run header. Remove the run.',
      });
    }
    return history;
  }

  get run(): RunHeader {
    if (this.#run === undefined) throw new Error('unreachable: checked when it was read');
    return this.#run;
  }

  /** How many items there are, as the last process saw it; undefined where none has seen the end of the source. */
  get itemCount(): number | undefined {
    return this.#sourceCount ?? this.run.itemCount;
  }

  /** One more than the last position that any item was reached at. */
  get reachedEnd(): number {
    return this.#reachedEnd;
  }

  /** How many items have a record. */
  get knownCount(): number {
    return this.#acknowledged.size + this.#openItems.size;
  }

  /** The number of the next rollout. */
  get nextRollout(): number {
    return this.#rolloutCount;
  }

  get acknowledgedCount(): number {
    return this.#acknowledged.size;
  }

  get isFinished(): boolean {
    return this.#isFinished;
  }

  get lastAtMs(): number {
    return this.#lastAtMs;
  }

  /** True if every agent that accepted runs no invocation twice; undefined while none has accepted. */
  get agentSpeaksRip(): boolean | undefined {
    return this.#agentSpeaksRip;
  }

  isKnown(item: string): boolean {
    return this.#acknowledged.has(item) || this.#openItems.has(item);
  }

  isAcknowledged(item: string): boolean {
    return this.#acknowledged.has(item);
  }

  /** All rollouts of an item that is not acknowledged, in the order of their intention. */
  rolloutsOf(item: string): readonly PastRollout[] {
    return this.#openItems.get(item) ?? [];
  }

  /** The digest that an item was recorded with; undefined where nothing of it was sent. */
  digestOf(item: string): string | undefined {
    return this.#acknowledged.get(item) ?? this.#openItems.get(item)?.[0]?.payloadDigest;
  }

  /** Sessions that have not been seen to end. */
  openSessions(): OpenSession[] {
    return [...this.#sessions.values()];
  }

  #addLine(line: string): void {
    this.#lineNumber += 1;
    const record = decodeRecord(line, this.#lineNumber);
    if (record === undefined) return;
    if ('atMs' in record) this.#lastAtMs = Math.max(this.#lastAtMs, record.atMs);
    this.#add(record);
  }

  #add(record: JournalRecord): void {
    switch (record.type) {
      case 'run':
        this.#run = record;
        this.#lastAtMs = Math.max(this.#lastAtMs, record.createdAtMs);
        return;
      case 'source_ended':
        this.#sourceCount = record.count;
        return;
      case 'intended':
        this.#addIntended(record);
        return;
      case 'accepted': {
        const { rollout, speaksRip = false } = record;
        this.counts.accepted += 1;
        this.#agentSpeaksRip = speaksRip && this.#agentSpeaksRip !== false;
        this.#setState(rollout, { phase: 'accepted', speaksRip });
        return;
      }
      case 'settled': {
        const { rollout, outcome, reward, errorCode, atMs: settledAtMs } = record;
        this.counts.settled[outcome] = (this.counts.settled[outcome] ?? 0) + 1;
        this.#setState(rollout, { phase: 'settled', outcome, reward, errorCode, settledAtMs });
        const session = this.#sessions.get(rollout);
        if (record.sessionless === true) this.#sessions.delete(rollout);
        else if (session !== undefined) session.isSettled = true;
        return;
      }
      case 'stopped':
        if (record.result !== 'failed') this.#sessions.delete(record.rollout);
        return;
      case 'acknowledged':
        this.#addAcknowledged(record.item);
        return;
      case 'finished':
        this.#isFinished = true;
        return;
      case 'owner':
      case 'released':
        return;
    }
  }

  #addIntended(record: IntendedRecord): void {
    const { type: _, atMs: submittedAtMs, ...address } = record;
    const { rollout, index, sessionId, item } = record;
    const past: PastRollout = { ...address, item, submittedAtMs, state: { phase: 'intended' } };
    this.counts.intended += 1;
    // A run that had come to its end continues with further items.
    this.#isFinished = false;
    this.#rolloutCount = Math.max(this.#rolloutCount, rollout + 1);
    this.#reachedEnd = Math.max(this.#reachedEnd, index + 1);
    this.#rollouts.set(rollout, past);
    this.#sessions.set(rollout, { sessionId, rollout, item, submittedAtMs, isSettled: false });
    const rollouts = this.#openItems.get(item);
    if (rollouts === undefined) this.#openItems.set(item, [past]);
    else rollouts.push(past);
  }

  #addAcknowledged(item: string): void {
    const rollouts = this.#openItems.get(item) ?? [];
    this.#acknowledged.set(item, rollouts[0]?.payloadDigest);
    this.#openItems.delete(item);
    for (const { rollout } of rollouts) this.#rollouts.delete(rollout);
  }

  #setState(rollout: number, state: PastState): void {
    const past = this.#rollouts.get(rollout);
    if (past !== undefined) past.state = state;
  }
}
