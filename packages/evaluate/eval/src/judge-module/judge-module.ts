import { Worker } from 'node:worker_threads';
import { ArtError, backgroundClock, type Clock, type ErrorCode } from '@art/ground';
import type { Judgement, JudgeContext, JudgedSample } from '../run/judge.ts';
import { digestOfModule } from './module-digest.ts';
import type { JudgeReply, JudgeRequest, JudgeThreadData, ThrownText } from './judge-worker.ts';

/** Options of `JudgeModule.open`. */
export interface JudgeModuleOptions {
  /** Longest time of a judgement, in milliseconds. @default 300_000 */
  timeoutMs?: number | undefined;
  clock?: Clock | undefined;
}

interface Call {
  id: number;
  sample: JudgedSample;
  context: JudgeContext;
  settle: PromiseWithResolvers<Judgement>;
  /** Undefined while it waits for the thread. */
  cancelLimit: (() => void) | undefined;
}

const defaultTimeoutMs = 300_000;
/** How long a thread may take to answer before it counts as blocked. */
const answerMs = 2_000;

/**
 * The judge that a module exports, in its own thread: one that takes too long is ended, also where it blocks, and this process continues to
 * answer. Judgements that were under way beside it are made again.
 */
export class JudgeModule implements AsyncDisposable {
  /** The name of the file, with a digest of it and of what it imports. */
  readonly name: string;
  /** Variables of the environment that these name. */
  readonly variables: readonly string[];
  readonly #file: string;
  readonly #timeoutMs: number;
  readonly #clock: Clock;
  readonly #waiting: Call[] = [];
  readonly #underWay = new Map<number, Call>();
  #thread: Worker | undefined;
  #running = new Int32Array(new SharedArrayBuffer(4));
  /** Once a judgement blocked of which nobody could tell which one it was. */
  #isOneByOne = false;
  #lastId = 0;
  #onPong: (() => void) | undefined;
  /** The question whether the thread answers, where it is open. */
  #answering: Promise<boolean> | undefined;
  #isStarting = false;

  private constructor(
    file: string,
    { name, variables }: Awaited<ReturnType<typeof digestOfModule>>,
    { timeoutMs, clock }: JudgeModuleOptions,
  ) {
    this.#file = file;
    this.name = name;
    this.variables = variables;
    this.#timeoutMs = timeoutMs ?? defaultTimeoutMs;
    this.#clock = clock ?? backgroundClock;
  }

  /**
   * @param file absolute path
   * @throws ArtError `ART_INVALID_OPTION` where its default export is no judge; what the module throws
   */
  static async open(file: string, options: JudgeModuleOptions = {}): Promise<JudgeModule> {
    const module = new JudgeModule(file, await digestOfModule(file), options);
    await module.#start();
    return module;
  }

  /** Judges a sample, as the module's own `compute` does. @throws what the judge throws; ArtError `ART_JUDGE_TIMEOUT` */
  compute(sample: JudgedSample, context: JudgeContext = {}): Promise<Judgement> {
    const { signal } = context;
    if (signal?.aborted === true) return Promise.reject(signal.reason as Error);
    const settle = Promise.withResolvers<Judgement>();
    const call: Call = { id: (this.#lastId += 1), sample, context, settle, cancelLimit: undefined };
    const abort = (): void => {
      this.#ask({ abort: call.id });
      this.#end(call, () => settle.reject(signal!.reason));
    };
    signal?.addEventListener('abort', abort, { once: true });
    this.#waiting.push(call);
    if (this.#thread === undefined) void this.#again();
    else this.#send();
    return settle.promise.finally(() => signal?.removeEventListener('abort', abort));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.terminate();
  }

  async #start(): Promise<void> {
    this.#isStarting = true;
    try {
      await this.#load();
    } catch (error) {
      await this[Symbol.asyncDispose]();
      throw error;
    } finally {
      this.#isStarting = false;
    }
    this.#send();
  }

  async #load(): Promise<void> {
    this.#running = new Int32Array(new SharedArrayBuffer(4));
    const data: JudgeThreadData = { file: this.#file, running: this.#running.buffer };
    const thread = startThread(data);
    this.#thread = thread;
    const loading = Promise.withResolvers<Extract<JudgeReply, { loaded: unknown }>['loaded']>();
    thread.on('message', (message: JudgeReply) => {
      if (typeof message === 'object' && 'loaded' in message) loading.resolve(message.loaded);
      else if (thread === this.#thread) this.#hear(message);
    });
    thread.on('error', (error: unknown) => this.#died(thread, error, loading.reject));
    thread.on('exit', (code) =>
      this.#died(thread, new Error(`The judge ended its thread with code ${code}.`), loading.reject),
    );
    const tooLong = this.#clock.after(this.#timeoutMs, () => {
      loading.reject(this.#timeout('was not loaded'));
      void thread.terminate();
    });
    const loaded = await loading.promise.finally(tooLong);
    if ('error' in loaded) throw thrown(loaded.error);
    if (loaded.problem !== undefined) throw notAJudge(this.#file, loaded.problem);
    thread.unref();
  }

  #ask(request: JudgeRequest): void {
    this.#thread?.postMessage(request);
  }

  #send(): void {
    while (this.#thread !== undefined && !this.#isStarting && this.#waiting.length > 0) {
      if (this.#isOneByOne && this.#underWay.size > 0) return;
      const call = this.#waiting.shift()!;
      this.#underWay.set(call.id, call);
      this.#thread.ref();
      try {
        this.#ask({ judge: call.id, sample: call.sample });
      } catch (error) {
        this.#end(call, () => call.settle.reject(error));
      }
    }
  }

  #hear(message: Exclude<JudgeReply, { loaded: unknown }>): void {
    if (message === 'pong') return this.#onPong?.();
    if ('usage' in message) return this.#underWay.get(message.of)?.context.onUsage?.(message.usage);
    if ('remark' in message) return this.#underWay.get(message.of)?.context.remark?.(message.remark);
    const call = this.#underWay.get(
      'started' in message ? message.started : 'done' in message ? message.done : message.failed,
    );
    if (call === undefined) return;
    if ('started' in message)
      call.cancelLimit = this.#clock.after(this.#timeoutMs, () => void this.#overdue(call));
    else if ('done' in message) this.#end(call, () => call.settle.resolve(message.given as Judgement));
    else this.#end(call, () => call.settle.reject(thrown(message.error)));
  }

  #end(call: Call, settle: () => void): void {
    call.cancelLimit?.();
    this.#underWay.delete(call.id);
    const at = this.#waiting.indexOf(call);
    if (at >= 0) this.#waiting.splice(at, 1);
    settle();
    if (this.#underWay.size === 0) this.#thread?.unref();
    this.#send();
  }

  /** A thread that answers runs other judgements on; one that does not is ended, with the judgement that blocks it. */
  async #overdue(call: Call): Promise<void> {
    const thread = this.#thread;
    this.#ask({ abort: call.id });
    const doesAnswer = await this.#answers();
    if (thread !== this.#thread || !this.#underWay.has(call.id)) return;
    if (doesAnswer) return this.#end(call, () => call.settle.reject(this.#timeout('gave no verdict')));
    const known = this.#underWay.get(Atomics.load(this.#running, 0));
    const blocking = known ?? (this.#underWay.size === 1 ? call : undefined);
    this.#isOneByOne ||= blocking === undefined;
    this.#thread = undefined;
    await thread?.terminate();
    if (blocking !== undefined)
      this.#end(blocking, () =>
        blocking.settle.reject(this.#timeout('gave no verdict and blocked its thread')),
      );
    await this.#again();
  }

  #answers(): Promise<boolean> {
    this.#answering ??= new Promise<boolean>((resolve) => {
      const cancel = this.#clock.after(answerMs, () => resolve(false));
      this.#onPong = () => {
        cancel();
        resolve(true);
      };
      this.#ask('ping');
    }).finally(() => (this.#answering = undefined));
    return this.#answering;
  }

  /** Makes the judgements again that were under way, in a new thread. */
  async #again(): Promise<void> {
    for (const call of this.#underWay.values()) {
      call.cancelLimit?.();
      call.cancelLimit = undefined;
      this.#waiting.push(call);
    }
    this.#underWay.clear();
    if (this.#waiting.length === 0 || this.#isStarting) return;
    await this.#start().catch((error: unknown) => this.#failAll(error));
  }

  #died(thread: Worker, error: unknown, rejectLoading: (error: unknown) => void): void {
    rejectLoading(error);
    if (thread !== this.#thread) return;
    this.#thread = undefined;
    for (const call of this.#underWay.values()) this.#end(call, () => call.settle.reject(error));
    void this.#again();
  }

  #failAll(error: unknown): void {
    for (const call of this.#waiting.slice()) this.#end(call, () => call.settle.reject(error));
  }

  #timeout(what: string): ArtError {
    return new ArtError({
      code: 'ART_JUDGE_TIMEOUT',
      message: `The judge of ${this.#file} ${what} in ${this.#timeoutMs} ms. Look for what it waits for, or raise the limit (--judge-timeout-ms).`,
    });
  }
}

function notAJudge(file: string, { isGroup, got }: { isGroup: boolean; got: string }): ArtError {
  return new ArtError({
    code: 'ART_INVALID_OPTION',
    message: isGroup
      ? `Expected --reward to be a judge of one sample, got ${file} with ${got}, which scores the samples of a task relative to each other: their mean would say nothing of the agent. RubricReward judges one alone, PairReward one beside a reference.`
      : `Expected --reward to be a module whose default export is a RewardFunction or a function, got ${file} with ${got}.`,
  });
}

function thrown({ message, code, stack }: ThrownText): Error {
  const error =
    code?.startsWith('ART_') === true
      ? new ArtError({ code: code as ErrorCode, message })
      : new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}

// From its source where the sources run, and from its own bundle where the package is built.
function startThread(workerData: JudgeThreadData): Worker {
  const fromSource = import.meta.url.endsWith('.ts');
  const file = fromSource ? './judge-worker.ts' : './judge-module/judge-worker.js';
  return new Worker(new URL(file, import.meta.url), {
    name: 'art-judge',
    workerData,
    ...(fromSource ? { execArgv: ['--conditions=@art/source'] } : {}),
  });
}
