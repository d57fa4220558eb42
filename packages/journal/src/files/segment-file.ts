import type { CallOptions } from '@art/protocol';
import { GroupCommit } from '../log/group-commit.ts';
import { asJournalFailure, runTakenOver } from '../log/journal-refusal.ts';
import { readLines } from '../records/read-lines.ts';
import type { RunLog } from '../log/rollout-journal.ts';
import { Upkeep } from '../log/upkeep.ts';
import type { AppendedFile } from './journal-file-system.ts';
import type { RunDirectory } from './run-directory.ts';
import type { SegmentFileSettings } from './segment-file-settings.ts';

const syncIntervalMs = 1_000;
const lingerMs = 20;

/** The segment that this process writes. */
export class SegmentFile implements RunLog {
  readonly #run: RunDirectory;
  readonly #segment: number;
  readonly #settings: SegmentFileSettings;
  readonly #file: AppendedFile;
  readonly #commits: GroupCommit;
  readonly #upkeep: Upkeep;
  #lastSignMs: number;
  #isSyncDue = false;
  #closed: Promise<void> | undefined;

  private constructor(run: RunDirectory, segment: number, file: AppendedFile, settings: SegmentFileSettings) {
    this.#run = run;
    this.#segment = segment;
    this.#file = file;
    this.#settings = settings;
    this.#lastSignMs = settings.clock.nowMs();
    this.#commits = new GroupCommit({
      write: (text) => this.#write(text),
      clock: settings.clock,
      gatherMs: 0,
      lingerMs,
      asArtError: (error) => asJournalFailure(run, error),
    });
    this.#upkeep = new Upkeep({
      clock: settings.clock,
      intervalMs: syncIntervalMs,
      work: () => this.#keepUp(),
      until: this.broken,
    });
  }

  static async open(run: RunDirectory, segment: number, settings: SegmentFileSettings): Promise<SegmentFile> {
    try {
      const file = await settings.fileSystem.openForAppend(run.segmentPath(segment));
      return new SegmentFile(run, segment, file, settings);
    } catch (error) {
      await run.release(segment).catch(() => undefined);
      throw asJournalFailure(run, error);
    }
  }

  get broken(): AbortSignal {
    return this.#commits.broken;
  }

  async *read(options: CallOptions = {}): AsyncGenerator<string[], void, undefined> {
    for (let segment = 1; segment <= this.#segment; segment += 1)
      yield* readLines(this.#run.readSegment(segment, options.signal));
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
    // What fails here has been told by `broken`, or leaves a run that looks held until this process ends.
    await this.#commits.flush().catch(() => undefined);
    await this.#upkeep.stop();
    if (this.#settings.sync !== 'never') await this.#file.sync().catch(() => undefined);
    await this.#file.close().catch(() => undefined);
    await this.#run.release(this.#segment).catch(() => undefined);
  }

  async #write(text: string): Promise<void> {
    const { clock, leaseMs, sync } = this.#settings;
    const nowMs = clock.nowMs();
    await this.#file.append(text);
    if (sync === 'commit') await this.#file.sync();
    else this.#isSyncDue = true;
    // Nobody could claim the run within a lease of the last sign of life. After a longer sleep somebody may have, and
    // would have read this segment before the text was in it.
    if (clock.nowMs() - this.#lastSignMs > leaseMs / 2) await this.#assertStillOwner();
    this.#lastSignMs = nowMs;
  }

  async #assertStillOwner(): Promise<void> {
    const next = this.#run.segmentPath(this.#segment + 1);
    if (await this.#run.exists(next)) throw runTakenOver(this.#run.runId);
  }

  async #keepUp(): Promise<void> {
    const { clock, leaseMs, sync } = this.#settings;
    try {
      if (this.#isSyncDue && sync === 'interval') {
        this.#isSyncDue = false;
        await this.#file.sync();
      }
      if (clock.nowMs() - this.#lastSignMs < leaseMs / 4) return;
      await this.#assertStillOwner();
      await this.#file.touch();
      this.#lastSignMs = clock.nowMs();
    } catch (error) {
      this.#commits.fail(error);
    }
  }
}
