import type { Dispatcher } from 'undici';
import type { EngineReply } from './engine-transport.ts';
import { EngineBody } from './engine-body.ts';

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
