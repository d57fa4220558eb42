import { Worker } from 'node:worker_threads';

import { ArtError, type ErrorCode } from '@art/protocol';

import type { RenderAnswers, RenderFailure, RenderJob, RenderReply, RenderThreadData } from './render-job.ts';

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
  id: number;
  job: RenderJob;
  settle(outcome: { answer: RenderAnswers[RenderJob['kind']] } | { error: unknown }): void;
}

/** A slot of the pool. A thread that ends is replaced, unless it cannot even load the tokenizer. */
type Slot =
  | { kind: 'loading'; thread: RenderThread }
  | { kind: 'idle'; thread: RenderThread }
  | { kind: 'busy'; thread: RenderThread; pending: PendingJob }
  | { kind: 'dead' };

/** Render threads behind one queue. */
export class RenderPool {
  readonly #options: RenderPoolOptions;
  readonly #slots: Slot[] = [];
  readonly #queue: PendingJob[] = [];
  #nextId = 1;
  #loadFailure: RenderFailure | undefined;
  #closed = false;

  constructor(options: RenderPoolOptions) {
    this.#options = options;
    for (let index = 0; index < options.threads; index += 1) this.#start(index);
  }

  /**
   * @throws what the job was refused with; ArtError `ART_RENDER_FAILED` where its thread ended, `ART_CLOSED` after
   * close(); the signal's reason
   */
  run<J extends RenderJob>(job: J, signal?: AbortSignal): Promise<RenderAnswers[J['kind']]> {
    signal?.throwIfAborted();
    if (this.#closed) return Promise.reject(closedError());
    if (this.#slots.every((slot) => slot.kind === 'dead')) return Promise.reject(this.#deadError());
    return new Promise((resolve, reject) => {
      const pending: PendingJob = {
        id: this.#nextId,
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
      this.#nextId += 1;
      this.#queue.push(pending);
      this.#assign();
    });
  }

  /** Ends all threads; what is waiting is rejected with `ART_CLOSED`. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true;
    const threads: RenderThread[] = [];
    for (const [index, slot] of this.#slots.entries()) {
      if (slot.kind === 'dead') continue;
      threads.push(slot.thread);
      if (slot.kind === 'busy') slot.pending.settle({ error: closedError() });
      this.#slots[index] = { kind: 'dead' };
    }
    for (const pending of this.#queue.splice(0)) pending.settle({ error: closedError() });
    await Promise.all(threads.map((thread) => thread.terminate()));
  }

  #start(index: number): void {
    const thread = (this.#options.startThread ?? startRenderThread)(this.#options.data);
    this.#slots[index] = { kind: 'loading', thread };
    let crash: unknown;
    thread.on('message', (reply: RenderReply) => {
      if (this.#isCurrent(index, thread)) this.#onReply(index, thread, reply);
    });
    thread.on('error', (error: unknown) => {
      crash = error;
    });
    thread.on('exit', () => {
      if (this.#isCurrent(index, thread)) this.#onExit(index, crash);
    });
  }

  #isCurrent(index: number, thread: RenderThread): boolean {
    const slot = this.#slots[index];
    return slot !== undefined && slot.kind !== 'dead' && slot.thread === thread;
  }

  #onReply(index: number, thread: RenderThread, reply: RenderReply): void {
    const slot = this.#slots[index];
    switch (reply.kind) {
      case 'ready':
        this.#rest(index, thread);
        break;
      case 'failed':
        this.#bury(index, reply.error);
        void thread.terminate();
        break;
      case 'done':
      case 'refused':
        if (slot?.kind !== 'busy' || slot.pending.id !== reply.id) return;
        this.#rest(index, thread);
        slot.pending.settle(
          reply.kind === 'done' ? { answer: reply.answer } : { error: errorOf(reply.error) },
        );
        break;
    }
    this.#assign();
  }

  #rest(index: number, thread: RenderThread): void {
    this.#slots[index] = { kind: 'idle', thread };
    // A process that is otherwise done must be able to end; while somebody waits for a thread it must not.
    thread.unref();
  }

  #onExit(index: number, crash: unknown): void {
    const slot = this.#slots[index];
    const reason = crash instanceof Error ? crash.message : 'it exited';
    if (slot?.kind === 'busy') {
      slot.pending.settle({ error: renderFailed(`The render thread ended: ${reason}.`, crash) });
    }
    // What dies while it loads would die again: no restart in circles.
    if (slot?.kind === 'loading') {
      this.#bury(index, {
        code: undefined,
        message: `The render thread ended while it loaded the tokenizer: ${reason}.`,
      });
      return;
    }
    this.#start(index);
  }

  #bury(index: number, failure: RenderFailure): void {
    this.#slots[index] = { kind: 'dead' };
    this.#loadFailure = failure;
    if (this.#slots.some((slot) => slot.kind !== 'dead')) return;
    for (const pending of this.#queue.splice(0)) pending.settle({ error: this.#deadError() });
  }

  #assign(): void {
    for (const [index, slot] of this.#slots.entries()) {
      if (slot.kind !== 'idle') continue;
      const pending = this.#queue.shift();
      if (pending === undefined) return;
      this.#slots[index] = { kind: 'busy', thread: slot.thread, pending };
      slot.thread.ref();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      slot.thread.postMessage({ id: pending.id, job: pending.job });
    }
  }

  #deadError(): ArtError {
    return this.#loadFailure === undefined ? closedError() : errorOf(this.#loadFailure);
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
