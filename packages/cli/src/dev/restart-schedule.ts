/** Where a schedule is. */
type State =
  | { kind: 'idle' }
  /** Changes came and more may follow: editors and compilers write several files at a time. */
  | { kind: 'settling'; files: Set<string>; timer: NodeJS.Timeout }
  /** `files`: what has changed since the restart began. */
  | { kind: 'restarting'; files: Set<string>; done: Promise<void> }
  | { kind: 'closed' };

export interface RestartScheduleOptions {
  /** Ends what runs the old program. Rejections are reported to `onError`. */
  restart: (files: string[]) => Promise<void>;
  onError: (error: unknown) => void;
  /** Pause without a change that must follow the last one. @default 150 */
  settleMs?: number | undefined;
}

/** Turns bursts of file changes into single restarts, one at a time. */
export class RestartSchedule {
  readonly #options: RestartScheduleOptions;
  #state: State = { kind: 'idle' };

  constructor(options: RestartScheduleOptions) {
    this.#options = options;
  }

  changed(file: string): void {
    switch (this.#state.kind) {
      case 'closed':
        return;
      case 'restarting':
        this.#state.files.add(file);
        return;
      case 'idle':
        this.#settle(new Set([file]));
        return;
      case 'settling':
        clearTimeout(this.#state.timer);
        this.#settle(this.#state.files.add(file));
    }
  }

  /** No restart begins any more; resolves when one that is under way has ended. */
  async close(): Promise<void> {
    const state = this.#state;
    this.#state = { kind: 'closed' };
    if (state.kind === 'settling') clearTimeout(state.timer);
    if (state.kind === 'restarting') await state.done;
  }

  #settle(files: Set<string>): void {
    const timer = setTimeout(() => this.#restart(files), this.#options.settleMs ?? 150);
    this.#state = { kind: 'settling', files, timer };
  }

  #restart(files: Set<string>): void {
    const later = new Set<string>();
    const done = this.#options
      .restart([...files])
      .catch(this.#options.onError)
      .then(() => {
        if (this.#state.kind !== 'restarting') return;
        if (later.size > 0) this.#settle(later);
        else this.#state = { kind: 'idle' };
      });
    this.#state = { kind: 'restarting', files: later, done };
  }
}
