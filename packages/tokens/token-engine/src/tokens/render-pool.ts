import { Worker } from 'node:worker_threads';

import { ArtError, type ErrorCode } from '@art/ground';

import type {
  RenderAnswers,
  RenderFailure,
  RenderJob,
  RenderReply,
  RenderThreadData,
} from './render-worker.ts';

/** A started render thread; `Worker` fits. */
export type RenderThread = Pick<Worker, 'on' | 'postMessage' | 'terminate' | 'ref' | 'unref'>;

export interface RenderPoolOptions {
  data: RenderThreadData;
  /** How many threads. Each holds a tokenizer: 150 to 300 MB with a vocabulary of 150,000. */
  threads: number;
  /** Replaces the real threads in tests. */
  startThread?: ((data: RenderThreadData) => RenderThread) | undefined;
}

interface PendingJob {
  job: RenderJob;
  settle(outcome: { answer: RenderAnswers[RenderJob['kind']] } | { error: unknown }): void;
}

/** Render threads behind one queue. A thread that ends is replaced, unless it cannot even load the tokenizer. */
export class RenderPool {
  readonly #options: RenderPoolOptions;
  /** State of each thread, or the job that it works on. */
  readonly #threads = new Map<RenderThread, 'loading' | 'idle' | PendingJob>();
  readonly #queue: PendingJob[] = [];
  /** Why no job is taken any more once no thread is left. */
  #end: ArtError = closedError();

  constructor(options: RenderPoolOptions) {
    this.#options = options;
    for (let started = 0; started < options.threads; started += 1) this.#start();
  }

  /**
   * @throws what the job was refused with; ArtError `ART_RENDER_FAILED` where its thread ended, `ART_CLOSED` after
   * close(); the signal's reason
   */
  run<J extends RenderJob>(job: J, signal?: AbortSignal): Promise<RenderAnswers[J['kind']]> {
    signal?.throwIfAborted();
    if (this.#threads.size === 0) return Promise.reject(this.#end);
    return new Promise((resolve, reject) => {
      const pending: PendingJob = {
        job,
        settle: (outcome) => {
          signal?.removeEventListener('abort', onAbort);
          if ('error' in outcome) reject(outcome.error);
          else resolve(outcome.answer as RenderAnswers[J['kind']]);
        },
      };
      const onAbort = (): void => {
        const at = this.#queue.indexOf(pending);
        if (at >= 0) this.#queue.splice(at, 1);
        // A job that is running is left to end; nobody waits for it any more.
        pending.settle({ error: signal?.reason });
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#queue.push(pending);
      this.#assign();
    });
  }

  /** Ends all threads; what is waiting is rejected with `ART_CLOSED`. Idempotent. */
  async close(): Promise<void> {
    const threads = [...this.#threads];
    this.#threads.clear();
    this.#end = closedError();
    for (const [, state] of threads) if (typeof state === 'object') state.settle({ error: this.#end });
    this.#refuseQueue();
    await Promise.all(threads.map(([thread]) => thread.terminate()));
  }

  #start(): void {
    const thread = (this.#options.startThread ?? startRenderThread)(this.#options.data);
    this.#threads.set(thread, 'loading');
    let crash: unknown;
    thread.on('message', (reply: RenderReply) => this.#onReply(thread, reply));
    thread.on('error', (error: unknown) => {
      crash = error;
    });
    thread.on('exit', () => this.#onExit(thread, crash));
  }

  #onReply(thread: RenderThread, reply: RenderReply): void {
    const state = this.#threads.get(thread);
    if (state === undefined) return;
    if (reply.kind === 'failed') {
      this.#bury(thread, errorOf(reply.error));
      void thread.terminate();
      return;
    }
    this.#threads.set(thread, 'idle');
    // A process that is otherwise done must be able to end; while somebody waits for a thread it must not.
    thread.unref();
    if (typeof state === 'object' && reply.kind === 'done') state.settle({ answer: reply.answer });
    if (typeof state === 'object' && reply.kind === 'refused') state.settle({ error: errorOf(reply.error) });
    this.#assign();
  }

  #onExit(thread: RenderThread, crash: unknown): void {
    const state = this.#threads.get(thread);
    if (state === undefined) return;
    const reason = crash instanceof Error ? crash.message : 'it exited';
    if (state === 'loading') {
      // What dies while it loads would die again: no restart in circles.
      this.#bury(thread, renderFailed(`The render thread ended while it loaded the tokenizer: ${reason}.`));
      return;
    }
    this.#threads.delete(thread);
    if (state !== 'idle') state.settle({ error: renderFailed(`The render thread ended: ${reason}.`, crash) });
    this.#start();
  }

  #bury(thread: RenderThread, why: ArtError): void {
    this.#threads.delete(thread);
    this.#end = why;
    if (this.#threads.size === 0) this.#refuseQueue();
  }

  #refuseQueue(): void {
    for (const pending of this.#queue.splice(0)) pending.settle({ error: this.#end });
  }

  #assign(): void {
    for (const [thread, state] of this.#threads) {
      if (state !== 'idle') continue;
      const pending = this.#queue.shift();
      if (pending === undefined) return;
      this.#threads.set(thread, pending);
      thread.ref();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      thread.postMessage(pending.job);
    }
  }
}

function errorOf(failure: RenderFailure): ArtError {
  if (failure.code === undefined) return renderFailed(failure.message);
  return new ArtError({ code: failure.code as ErrorCode, message: failure.message });
}

function renderFailed(message: string, cause?: unknown): ArtError {
  return new ArtError({ code: 'ART_RENDER_FAILED', message, cause });
}

function closedError(): ArtError {
  return new ArtError({ code: 'ART_CLOSED', message: 'The renderer is closed.' });
}

// From its source where the sources run, and from its own bundle where the package is built.
function startRenderThread(data: RenderThreadData): RenderThread {
  const fromSource = import.meta.url.endsWith('.ts');
  const file = new URL(fromSource ? './render-worker.ts' : './tokens/render-worker.js', import.meta.url);
  return new Worker(file, {
    workerData: data,
    name: 'art-render',
    ...(fromSource ? { execArgv: ['--conditions=@art/source'] } : {}),
  });
}
