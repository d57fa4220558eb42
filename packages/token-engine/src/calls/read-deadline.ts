/** A signal that follows another one, and besides aborts when nothing has come for too long. */
export class ReadDeadline {
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal;
  readonly #timeoutMs: number;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(outer: AbortSignal, timeoutMs: number) {
    this.#outer = outer;
    this.#timeoutMs = timeoutMs;
    this.signal = this.#controller.signal;
    if (outer.aborted) this.#controller.abort(outer.reason);
    else outer.addEventListener('abort', this.#follow, { once: true });
    this.refresh();
  }

  /** Whether it was the time that ran out. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Something has come. */
  refresh(): void {
    clearTimeout(this.#timer);
    if (this.#timeoutMs <= 0 || this.signal.aborted) return;
    this.#timer = setTimeout(() => {
      this.#isOver = true;
      this.#outer.removeEventListener('abort', this.#follow);
      this.#controller.abort(new Error(`Nothing came for ${this.#timeoutMs} ms.`));
    }, this.#timeoutMs);
  }

  /** No more is waited for. */
  end(): void {
    clearTimeout(this.#timer);
    this.#outer.removeEventListener('abort', this.#follow);
  }

  readonly #follow = (): void => {
    clearTimeout(this.#timer);
    this.#controller.abort(this.#outer.reason);
  };
}
