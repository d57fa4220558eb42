import type { CallOptions } from '@art/protocol';
import { GroupCommit } from '../log/group-commit.ts';
import { asJournalFailure, runTakenOver } from '../log/journal-refusal.ts';
import { readLines } from '../records/read-lines.ts';
import { encodeRecord } from '../records/record-codec.ts';
import type { RunLog } from '../log/rollout-journal.ts';
import { Upkeep } from '../log/upkeep.ts';
import type { SegmentClaim } from './claim-stored-run.ts';
import { storeSegment, type SegmentLogSettings } from './store-segment.ts';
import type { RunKeys } from './run-keys.ts';

// Lines that nobody waits for mostly go along with some that somebody waits for.
const lingerPerCommit = 4;
const beatsPerLease = 3;

/** The segments that this process stores, one after the other. */
export class SegmentLog implements RunLog {
  readonly #run: RunKeys;
  readonly #claim: SegmentClaim;
  readonly #settings: SegmentLogSettings;
  readonly #commits: GroupCommit;
  readonly #upkeep: Upkeep;
  readonly #closing = new AbortController();
  readonly #ownerLine: string;
  #next: number;
  #beats = 0;
  #lastSignMs: number;
  #closed: Promise<void> | undefined;

  constructor(run: RunKeys, claim: SegmentClaim, settings: SegmentLogSettings) {
    this.#run = run;
    this.#claim = claim;
    this.#settings = settings;
    this.#next = claim.segment + 1;
    this.#ownerLine = encodeRecord({ type: 'owner', holder: claim.holder, claim: claim.segment });
    this.#lastSignMs = settings.clock.nowMs();
    this.#commits = new GroupCommit({
      write: (text) => this.#store(text),
      clock: settings.clock,
      gatherMs: settings.commitIntervalMs,
      lingerMs: settings.commitIntervalMs * lingerPerCommit,
      asArtError: (error) => asJournalFailure(run, error),
    });
    this.#upkeep = new Upkeep({
      clock: settings.clock,
      intervalMs: settings.leaseMs / beatsPerLease,
      work: () => this.#beat(),
      until: this.broken,
    });
  }

  get broken(): AbortSignal {
    return this.#commits.broken;
  }

  read(options: CallOptions = {}): AsyncGenerator<string[], void, undefined> {
    return readLines(this.#run.segments(options, this.#claim.segment));
  }

  append(line: string): void {
    this.#commits.append(line);
  }

  commit(line: string): Promise<void> {
    return this.#commits.commit(line);
  }

  close(): Promise<void> {
    this.#closed ??= this.#closeOnce();
    return this.#closed;
  }

  async #closeOnce(): Promise<void> {
    this.#closing.abort(new Error('the journal is being closed'));
    await this.#upkeep.stop();
    // What fails here has been told by `broken`; others will wait for the end of the lease.
    const released = encodeRecord({ type: 'released', atMs: this.#settings.clock.epochMs() });
    await this.#commits.commit(released).catch(() => undefined);
  }

  async #store(text: string): Promise<void> {
    const nowMs = this.#settings.clock.nowMs();
    const stored = await storeSegment(this.#run, this.#next, `${this.#ownerLine}\n${text}`, this.#settings);
    if (stored === 'taken') throw runTakenOver(this.#run.runId);
    this.#next += 1;
    this.#lastSignMs = nowMs;
  }

  async #beat(): Promise<void> {
    const { clock, leaseMs } = this.#settings;
    const nowMs = clock.nowMs();
    const silentMs = nowMs - this.#lastSignMs;
    if (silentMs < leaseMs / beatsPerLease) return;
    const options = { signal: this.#closing.signal };
    try {
      if (silentMs > leaseMs / 2 && (await this.#wasTakenOver(options))) {
        this.#commits.fail(runTakenOver(this.#run.runId));
        return;
      }
      this.#beats += 1;
      await this.#run.beat(this.#claim.segment, this.#beats, options);
      this.#lastSignMs = nowMs;
    } catch {
      // A store that is out of order keeps everybody from claiming as well; the next beat tries again.
    }
  }

  // Noticed at the next record in any case; a run that waits for long rollouts may not write one for minutes.
  async #wasTakenOver(options: CallOptions): Promise<boolean> {
    const last = await this.#run.lastSegment(options);
    if (last === undefined || last < this.#next) return false;
    return (await this.#run.owner(last, options)).claim !== this.#claim.segment;
  }
}
