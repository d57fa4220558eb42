import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

/**
 * How far the answer to an agent is.
 * - `open`: no status sent, so a failure can still have its own.
 * - `committed`: status sent, the body is under way.
 * - `ended`: everything was handed to the connection.
 * - `gone`: the agent left before.
 */
export type ReplyState = 'open' | 'committed' | 'ended' | 'gone';

/** The answer to one agent's call. Nothing is written after it ended, and nobody waits for an agent that left. */
export class ClientReply {
  readonly #response: ServerResponse;
  #state: ReplyState = 'open';
  #status: number | undefined;
  #hasBegun = false;
  #isEventStream = false;
  #lastWriteAt = performance.now();
  #onGone: (() => void) | undefined;

  constructor(response: ServerResponse) {
    this.#response = response;
    response.once('close', () => this.#closed());
    // A reset while we write is reported by `close` as well.
    response.on('error', () => undefined);
  }

  get state(): ReplyState {
    return this.#state;
  }

  /** The status that was sent. */
  get status(): number | undefined {
    return this.#status;
  }

  /** True if a part of the answer itself was sent, rather than signs of life only. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** When anything was written last, on the clock of `performance.now`; at first, when the call came. */
  get lastWriteAt(): number {
    return this.#lastWriteAt;
  }

  /** True if a status was sent that says that events follow. */
  get isEventStream(): boolean {
    return this.#isEventStream;
  }

  /** Calls back once when the agent leaves before the answer ended, also if it has left already. */
  whenGone(callback: () => void): void {
    this.#onGone = callback;
    if (this.#state === 'gone') callback();
  }

  /** Sends status and headers; without a length in the headers the body is chunked. */
  commit(status: number, headers: OutgoingHttpHeaders): void {
    if (this.#state !== 'open') return;
    this.#state = 'committed';
    this.#status = status;
    this.#isEventStream = String(headers['content-type']).startsWith('text/event-stream');
    this.#response.writeHead(status, headers);
  }

  /** Sends the headers now instead of with the first bytes of the body. */
  flushHeaders(): void {
    if (this.#state === 'committed') this.#response.flushHeaders();
  }

  /** Writes a sign of life, which is no part of the answer. It may wait in memory for a moment. */
  writeBeat(bytes: string): void {
    this.#lastWriteAt = performance.now();
    if (this.#state === 'committed') this.#response.write(bytes);
  }

  /** Writes, and waits while the agent reads slower than the engine writes. */
  write(bytes: Uint8Array | string): Promise<void> | undefined {
    this.#hasBegun = true;
    this.#lastWriteAt = performance.now();
    if (this.#state !== 'committed' || this.#response.write(bytes)) return undefined;
    return this.#drained();
  }

  end(bytes?: Uint8Array | string): void {
    if (this.#state !== 'committed') return;
    this.#state = 'ended';
    this.#response.end(bytes);
  }

  /** Status, headers with the length, and the whole body. */
  send(status: number, headers: OutgoingHttpHeaders, body: Uint8Array | string): void {
    this.commit(status, { ...headers, 'content-length': Buffer.byteLength(body) });
    this.end(body);
  }

  /** Breaks the connection, where no more can be said. */
  destroy(): void {
    this.#response.destroy();
  }

  #drained(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const response = this.#response;
    const finish = (): void => {
      response.off('drain', finish).off('close', finish);
      resolve();
    };
    response.on('drain', finish).on('close', finish);
    return promise;
  }

  #closed(): void {
    if (this.#state === 'ended' || this.#state === 'gone') return;
    this.#state = 'gone';
    this.#onGone?.();
  }
}
