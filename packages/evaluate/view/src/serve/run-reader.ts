import { settleWithin } from '@art/ground';
import type { RunFolder } from '../read/find-runs.ts';
import type { RunInfo } from '../report/run-info.ts';

/** How long an answer waits for what is being read. */
const patienceMs = 100;

/** Keeps a run up to date: one look at its files at a time, no matter who asks. */
export class RunReader {
  readonly run: RunFolder;
  #refreshing: Promise<void> | undefined;
  #failure: Error | undefined;
  #hasRead = false;

  constructor(run: RunFolder) {
    this.run = run;
  }

  /** Begins to read what is new, unless that is being done. */
  refresh(): void {
    this.#refreshing ??= this.#read();
  }

  async #read(): Promise<void> {
    try {
      await this.run.refresh();
      this.#hasRead = true;
      this.#failure = undefined;
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Error(String(error));
    } finally {
      this.#refreshing = undefined;
    }
  }

  async settled(): Promise<void> {
    await this.#refreshing;
  }

  /** Looks for something in the run: what is not there is looked for once more when the files that are being read have been read. */
  async find<Found>(look: () => Promise<Found | undefined>): Promise<Found | undefined> {
    const found = await look();
    if (found !== undefined || this.#refreshing === undefined) return found;
    await this.settled();
    return look();
  }

  /**
   * Facts that are known now. It is live while its files are being read, so that anyone who asks, asks again for what they say.
   * @throws what reading has thrown
   */
  async info(): Promise<RunInfo> {
    this.refresh();
    await settleWithin([this.settled()], patienceMs);
    if (this.#failure !== undefined) throw this.#failure;
    const info = this.run.info();
    return this.#refreshing === undefined ? info : { ...info, isLive: true, isReading: !this.#hasRead };
  }
}
