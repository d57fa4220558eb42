export interface RestartScheduleOptions {
  /** Ends what runs the old program. Rejections are reported to `onError`. */
  restart: (files: string[]) => Promise<void>;
  onError: (error: unknown) => void;
  /** Pause without a change that must follow the last one: editors and compilers write several files at a time. @default 150 */
  settleMs?: number | undefined;
}

/** Turns bursts of file changes into single restarts, one at a time. */
export class RestartSchedule {
  readonly #options: RestartScheduleOptions;
  /** Files that have changed since the last restart began. */
  readonly #changed = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #restarts: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(options: RestartScheduleOptions) {
    this.#options = options;
  }

  changed(file: string): void {
    if (this.#isClosed) return;
    this.#changed.add(file);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#restarts = this.#restarts.then(() => this.#restart());
    }, this.#options.settleMs ?? 150);
  }

  /** No restart begins any more; resolves when one that is under way has ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#restarts;
  }

  async #restart(): Promise<void> {
    const files = [...this.#changed];
    this.#changed.clear();
    // Two bursts during a long restart become one.
    if (this.#isClosed || files.length === 0) return;
    await this.#options.restart(files).catch(this.#options.onError);
  }
}
