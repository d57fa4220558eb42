import type { CallOptions } from '@art/protocol';
import { claimRun, claimSegment } from './claim-run.ts';
import { GroupCommit } from './group-commit.ts';
import { asJournalFailure, runExists } from './journal-refusal.ts';
import type { LineLog } from './rollout-journal.ts';
import type { RunSegments, SegmentOwner, SegmentSettings, SegmentWriter } from './run-segments.ts';

/**
 * Starts a run that has these lines, and claims it.
 * @throws ArtError `ART_JOURNAL_EXISTS`, `ART_JOURNAL_WRITE_FAILED`
 */
export async function createRun(
  run: RunSegments,
  lines: readonly string[],
  settings: SegmentSettings,
  options: CallOptions,
): Promise<LineLog> {
  options.signal?.throwIfAborted();
  const owner = await claimSegment(run, 1, lines, settings, options);
  if (owner === undefined) throw runExists(run.runId, run.where);
  return writeOn(run, owner, settings);
}

/** @throws ArtError as `claimRun` */
export async function openHeldRun(
  run: RunSegments,
  settings: SegmentSettings,
  options: CallOptions,
): Promise<LineLog> {
  return writeOn(run, await claimRun(run, settings, options), settings);
}

async function writeOn(run: RunSegments, owner: SegmentOwner, settings: SegmentSettings): Promise<LineLog> {
  try {
    return new HeldRun(run, owner, await run.writer(owner), settings);
  } catch (error) {
    throw asJournalFailure(run, error);
  }
}

/** A run that this process has claimed, and writes. Beside its records it gives signs of life and forces writes, every so often. */
class HeldRun implements LineLog {
  readonly #run: RunSegments;
  readonly #owner: SegmentOwner;
  readonly #writer: SegmentWriter;
  readonly #settings: SegmentSettings;
  readonly #commits: GroupCommit;
  #cancelUpkeep: () => void = () => undefined;
  #upkeep: Promise<void> = Promise.resolve();
  #closed: Promise<void> | undefined;

  constructor(run: RunSegments, owner: SegmentOwner, writer: SegmentWriter, settings: SegmentSettings) {
    this.#run = run;
    this.#owner = owner;
    this.#writer = writer;
    this.#settings = settings;
    this.#commits = new GroupCommit({
      ...settings,
      write: (text) => writer.write(text),
      asArtError: (error) => asJournalFailure(run, error),
    });
    this.#planUpkeep();
  }

  get broken(): AbortSignal {
    return this.#commits.broken;
  }

  read(options: CallOptions = {}): AsyncIterable<readonly string[]> {
    return this.#run.read(options, this.#owner.claim);
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
    this.#writer.stopKeepingUp?.();
    this.#cancelUpkeep();
    await this.#upkeep;
    const { lastLine } = this.#writer;
    const written = lastLine === undefined ? this.#commits.flush() : this.#commits.commit(lastLine);
    // What fails here has been told by `broken`.
    await written.catch(() => undefined);
    await this.#writer.release();
  }

  /** One round at a time, with a rest in between. */
  #planUpkeep(): void {
    const { clock, upkeepMs } = this.#settings;
    this.#cancelUpkeep = clock.after(upkeepMs, () => {
      this.#upkeep = this.#keepUp();
    });
  }

  async #keepUp(): Promise<void> {
    await this.#writer.keepUp().catch((error: unknown) => this.#commits.fail(error));
    if (this.#closed === undefined && !this.broken.aborted) this.#planUpkeep();
  }
}
