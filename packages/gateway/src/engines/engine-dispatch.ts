import type { Dispatcher } from 'undici';
import type { EngineReply } from './engine-transport.ts';

/** What holds the engine back or lets it go on. */
export interface BodySource {
  pause(): void;
  resume(): void;
  abort(reason: Error): void;
}

type BodyEnd = { kind: 'open' } | { kind: 'ended' } | { kind: 'failed'; error: Error };

// So much may wait here before the engine is held back.
const highWaterBytes = 65_536;

/**
 * An engine's body on its way, chunk by chunk, no faster than it is taken. Far lighter than a stream, of which each call would
 * need one.
 */
export class EngineBody implements AsyncIterable<Uint8Array> {
  readonly #source: BodySource;
  #chunks: Uint8Array[] = [];
  #queuedBytes = 0;
  #isPaused = false;
  #end: BodyEnd = { kind: 'open' };
  #wake: (() => void) | undefined;

  constructor(source: BodySource) {
    this.#source = source;
  }

  push(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.#queuedBytes += chunk.length;
    if (this.#queuedBytes > highWaterBytes && !this.#isPaused) {
      this.#isPaused = true;
      this.#source.pause();
    }
    this.#wakeUp();
  }

  /** Nothing more comes; with an error if it should have. */
  finish(error?: Error): void {
    if (this.#end.kind !== 'open') return;
    this.#end = error === undefined ? { kind: 'ended' } : { kind: 'failed', error };
    this.#wakeUp();
  }

  /** @throws what the connection failed with, behind the chunks that came before */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void> {
    try {
      for (;;) {
        const chunks = this.#chunks;
        this.#chunks = [];
        this.#queuedBytes = 0;
        yield* chunks;
        if (this.#chunks.length > 0) continue;
        this.#goOn();
        // What the source had kept back may have come at once, before anybody waited for it.
        if (this.#chunks.length > 0) continue;
        if (this.#end.kind === 'failed') throw this.#end.error;
        if (this.#end.kind === 'ended') return;
        await this.#change();
      }
    } finally {
      if (this.#end.kind === 'open') this.#source.abort(new Error('Nobody reads the answer any more.'));
    }
  }

  #change(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    return promise;
  }

  #wakeUp(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }

  #goOn(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#source.resume();
  }
}

type Progress =
  | { kind: 'queued' }
  | { kind: 'sent'; controller: Dispatcher.DispatchController }
  | { kind: 'answering'; body: EngineBody; controller: Dispatcher.DispatchController }
  | { kind: 'over' };

/** One request in undici's hands; `reply` settles with the status, or with why there is none. */
export class EngineDispatch implements Dispatcher.DispatchHandler {
  readonly reply: Promise<EngineReply>;
  readonly #signal: AbortSignal;
  readonly #resolve: (reply: EngineReply) => void;
  readonly #reject: (error: Error) => void;
  #progress: Progress = { kind: 'queued' };

  constructor(signal: AbortSignal) {
    const { promise, resolve, reject } = Promise.withResolvers<EngineReply>();
    this.reply = promise;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#signal = signal;
    signal.addEventListener('abort', this.#abort);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#signal.aborted) controller.abort(aborted());
    else this.#progress = { kind: 'sent', controller };
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // An early hint is not the answer.
    if (status < 200) return;
    const body = new EngineBody(controller);
    this.#progress = { kind: 'answering', body, controller };
    this.#resolve({ status, headers: headers as Record<string, string | string[]>, body });
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#progress.kind === 'answering') this.#progress.body.push(chunk);
  }

  onResponseEnd(): void {
    this.#over();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#over(error);
  }

  #over(error?: Error): void {
    const progress = this.#progress;
    this.#progress = { kind: 'over' };
    this.#signal.removeEventListener('abort', this.#abort);
    if (progress.kind === 'answering') progress.body.finish(error);
    else this.#reject(error ?? new Error('The connection ended without an answer.'));
  }

  readonly #abort = (): void => {
    const progress = this.#progress;
    if (progress.kind === 'sent' || progress.kind === 'answering') progress.controller.abort(aborted());
    // One that still waits for a connection is taken back as soon as it has one.
    else if (progress.kind === 'queued') this.#reject(aborted());
  };
}

function aborted(): Error {
  return new Error('The call was given up.');
}
