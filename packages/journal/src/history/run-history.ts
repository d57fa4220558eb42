import { ArtError, type ErrorCode, type RolloutOutcomeKind } from '@art/protocol';
import type { IntendedRecord, JournalRecord, RunHeader } from '../records/journal-record.ts';
import { decodeRecord } from '../records/record-codec.ts';
import { PayloadDigests } from './payload-digests.ts';

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
export interface PastRollout extends Omit<IntendedRecord, 'type' | 'atMs'> {
  submittedAtMs: number;
  state: PastState;
}

/** A session that has not been seen to end. */
export interface OpenSession {
  sessionId: string;
  /** Number of its rollout in the journal. */
  rollout: number;
  index: number;
  submittedAtMs: number;
  /** Whether the outcome of its rollout is known: then nobody waits for it. */
  isSettled: boolean;
}

/** How many rollouts of a run are where; retries and replacements count one by one. */
export interface RolloutCounts {
  intended: number;
  accepted: number;
  settled: Partial<Record<RolloutOutcomeKind, number>>;
}

/**
 * What a journal says of a run, read record by record. An item that is done costs one small entry, whatever became of it;
 * only what is still open is kept in full.
 */
export class RunHistory {
  readonly counts: RolloutCounts = { intended: 0, accepted: 0, settled: {} };
  readonly #rollouts = new Map<number, PastRollout>();
  readonly #openItems = new Map<number, PastRollout[]>();
  readonly #sessions = new Map<number, OpenSession>();
  // Where the number of payloads was not known their digests are kept here, to be compared later.
  readonly #acknowledged = new Map<number, string | undefined>();
  #digestText = '';
  #run: RunHeader | undefined;
  #sourceCount: number | undefined;
  #isFinished = false;
  #rolloutCount = 0;
  #itemEnd = 0;
  #lastAtMs = 0;
  #agentSpeaksRip: boolean | undefined;
  #lineNumber = 0;

  /** That of a run which begins with these lines. */
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
        message: 'Expected the journal to say first what run it is of, it does not. Remove the run.',
      });
    }
    return history;
  }

  get run(): RunHeader {
    if (this.#run === undefined) throw new Error('unreachable: checked when it was read');
    return this.#run;
  }

  /** Undefined where the source did not say how many payloads it has. */
  get digests(): PayloadDigests | undefined {
    return this.run.payloadCount === undefined ? undefined : new PayloadDigests(this.#digestText);
  }

  /** How many payloads there are; undefined where nobody has seen the end of the source yet. */
  get payloadCount(): number | undefined {
    return this.run.payloadCount ?? this.#sourceCount;
  }

  /** One more than the highest index that any rollout was intended for. */
  get itemEnd(): number {
    return this.#itemEnd;
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

  /** Whether every agent that accepted runs no attempt twice; undefined while none has accepted. */
  get agentSpeaksRip(): boolean | undefined {
    return this.#agentSpeaksRip;
  }

  isAcknowledged(index: number): boolean {
    return this.#acknowledged.has(index);
  }

  /** All rollouts of an item that is not acknowledged, in the order of their intention. */
  rolloutsOf(index: number): readonly PastRollout[] {
    return this.#openItems.get(index) ?? [];
  }

  /** The digest that an item was recorded with, where it has a record. */
  digestOf(index: number): string | undefined {
    return this.#acknowledged.get(index) ?? this.#openItems.get(index)?.[0]?.payloadDigest;
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
      case 'payloads':
        this.#digestText += record.digests;
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
        this.#addAcknowledged(record.index);
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
    const { rollout, index, sessionId } = record;
    const past: PastRollout = { ...address, submittedAtMs, state: { phase: 'intended' } };
    this.counts.intended += 1;
    this.#rolloutCount = Math.max(this.#rolloutCount, rollout + 1);
    this.#itemEnd = Math.max(this.#itemEnd, index + 1);
    this.#rollouts.set(rollout, past);
    this.#sessions.set(rollout, { sessionId, rollout, index, submittedAtMs, isSettled: false });
    const item = this.#openItems.get(index);
    if (item === undefined) this.#openItems.set(index, [past]);
    else item.push(past);
  }

  #addAcknowledged(index: number): void {
    const rollouts = this.#openItems.get(index) ?? [];
    const digest = this.run.payloadCount === undefined ? rollouts[0]?.payloadDigest : undefined;
    this.#acknowledged.set(index, digest);
    this.#itemEnd = Math.max(this.#itemEnd, index + 1);
    this.#openItems.delete(index);
    for (const { rollout } of rollouts) this.#rollouts.delete(rollout);
  }

  #setState(rollout: number, state: PastState): void {
    const past = this.#rollouts.get(rollout);
    if (past !== undefined) past.state = state;
  }
}
