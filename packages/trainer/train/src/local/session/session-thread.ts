import { Worker } from 'node:worker_threads';
import { ArtError, type ErrorCode } from '@art/ground';
import type { CallName, CallResult, PolicySession } from './policy-session.ts';
import type { SessionWork, ThreadReply, ThreadRequest } from './session-worker.ts';

interface PendingCall {
  settle: PromiseWithResolvers<never>;
  heard: (counts: PolicySession['tokenCounts']) => void;
}

/** The thread in which the policies of this process train and sample: a long row takes seconds, in which gateway and agents must be served. */
export class SessionThread {
  static #shared: SessionThread | undefined;
  readonly #worker: Worker;
  readonly #pending = new Map<number, PendingCall>();
  #calls = 0;
  #end: ArtError | undefined;

  /** One for all sessions of the process. */
  static shared(): SessionThread {
    const known = SessionThread.#shared;
    return known !== undefined && known.#end === undefined
      ? known
      : (SessionThread.#shared = new SessionThread());
  }

  private constructor() {
    this.#worker = startWorker();
    this.#worker.unref();
    let reason = 'it exited';
    this.#worker.on('message', (reply: ThreadReply) => this.#heard(reply));
    this.#worker.on('error', (error) => (reason = error instanceof Error ? error.message : String(error)));
    this.#worker.on('exit', () => this.#ended(reason));
  }

  /**
   * Calls a session of the thread; calls arrive in the order in which they were made.
   * @param heard called with how many tokens the session has had
   */
  call<Name extends CallName>(
    session: string,
    work: SessionWork<Name>,
    heard: (counts: PolicySession['tokenCounts']) => void,
    signal?: AbortSignal,
  ): Promise<CallResult<Name>> {
    if (this.#end !== undefined) return Promise.reject(this.#end);
    if (signal?.aborted === true) return Promise.reject(signal.reason as Error);
    const id = (this.#calls += 1);
    const settle = Promise.withResolvers<never>();
    this.#post({ id, session, work: work as SessionWork });
    this.#pending.set(id, { settle, heard });
    // A process that is otherwise done must be able to end; while somebody waits for the thread it must not.
    this.#worker.ref();
    const abort = (): void => {
      this.#post({ abort: id });
      settle.reject(signal?.reason as Error);
    };
    signal?.addEventListener('abort', abort, { once: true });
    return settle.promise.finally(() => signal?.removeEventListener('abort', abort));
  }

  #post(message: ThreadRequest | { abort: number }): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    this.#worker.postMessage(message);
  }

  #heard(reply: ThreadReply): void {
    const pending = this.#pending.get(reply.id);
    this.#pending.delete(reply.id);
    if (this.#pending.size === 0) this.#worker.unref();
    if (reply.counts !== undefined) pending?.heard(reply.counts);
    if ('error' in reply) pending?.settle.reject(errorOf(reply.error));
    else pending?.settle.resolve(reply.result as never);
  }

  #ended(reason: string): void {
    const message = `The thread of the training sessions ended: ${reason}.`;
    this.#end = new ArtError({ code: 'ART_TRAIN_STOPPED', message });
    for (const { settle } of this.#pending.values()) settle.reject(this.#end);
    this.#pending.clear();
  }
}

function errorOf({ code, message }: { code: string | undefined; message: string }): Error {
  return code === undefined ? new Error(message) : new ArtError({ code: code as ErrorCode, message });
}

// From its source where the sources run, and from its own bundle where the package is built.
function startWorker(): Worker {
  const fromSource = import.meta.url.endsWith('.ts');
  const file = fromSource ? './session-worker.ts' : './session/session-worker.js';
  return new Worker(new URL(file, import.meta.url), {
    name: 'art-train',
    ...(fromSource ? { execArgv: ['--conditions=@art/source'] } : {}),
  });
}
