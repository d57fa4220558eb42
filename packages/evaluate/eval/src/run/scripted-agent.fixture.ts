import { ArtError } from '@art/ground';
import { type RolloutOutcome } from '@art/protocol';
import type { ActiveAttempt, BatchItem, RunHandle } from '@art/rollout';
import type { EvaluatedAgent } from './evaluated-agent.ts';

type Batch = EvaluatedAgent['client']['runBatch'];

/** Decides about a payload; called once for each that is sent. */
export type Script = (
  payload: Record<string, unknown>,
  index: number,
) => RolloutOutcome | Promise<RolloutOutcome>;

/** An agent that nothing is sent to: each payload settles as the script says, in the order in which they do. */
export function scriptedAgent(script: Script): {
  agent: EvaluatedAgent;
  sent: Record<string, unknown>[];
} {
  const sent: Record<string, unknown>[] = [];
  const runBatch = (payloads: AsyncIterable<Record<string, unknown>>, options: Options) => {
    const run = new ScriptedRun(script, sent, payloads, options);
    return run.handle;
  };
  const client: EvaluatedAgent['client'] = {
    runBatch: runBatch as unknown as Batch,
    resume: () => {
      throw new Error('Nothing of it outlives its process.');
    },
  };
  return { agent: { client, endsWithProcess: true }, sent };
}

interface Options {
  maxConcurrentSessions: number;
  maxUnacknowledged: number;
  inputId: () => string;
  signal: AbortSignal;
}

/** A run that sends nothing, but goes as fast as it is told to. */
class ScriptedRun {
  readonly handle: RunHandle<BatchItem>;
  readonly #script: Script;
  readonly #sent: Record<string, unknown>[];
  readonly #options: Options;
  readonly #active = new Map<string, ActiveAttempt>();
  readonly #ready: BatchItem[] = [];
  #unacknowledged = 0;
  #isPaused = false;
  #limit: number;
  #changed = Promise.withResolvers<void>();

  constructor(
    script: Script,
    sent: Record<string, unknown>[],
    payloads: AsyncIterable<Record<string, unknown>>,
    options: Options,
  ) {
    this.#script = script;
    this.#sent = sent;
    this.#options = options;
    this.#limit = options.maxConcurrentSessions;
    const items = this.#items(payloads);
    this.handle = Object.defineProperties(items, {
      limit: {
        get: () => this.#limit,
        set: (limit: number) => {
          this.#change(() => (this.#limit = limit));
        },
      },
      isPaused: { get: () => this.#isPaused },
      progress: { get: () => ({ active: this.#active.size }) },
      pause: { value: () => (this.#isPaused = true) },
      resume: { value: () => this.#change(() => (this.#isPaused = false)) },
      activeAttempts: { value: () => [...this.#active.values()] },
    }) as never;
  }

  async *#items(payloads: AsyncIterable<Record<string, unknown>>): AsyncGenerator<BatchItem> {
    const { signal } = this.#options;
    let isOver = false;
    const feeding = this.#feed(payloads).finally(() => this.#change(() => (isOver = true)));
    // It is looked at when everything that began has settled.
    feeding.catch(() => undefined);
    const onAbort = (): void => this.#change(() => undefined);
    signal.addEventListener('abort', onAbort);
    try {
      while (!isOver || this.#active.size > 0 || this.#ready.length > 0) {
        signal.throwIfAborted();
        const item = this.#ready.shift();
        if (item === undefined) await this.#changed.promise;
        else {
          this.#unacknowledged += 1;
          yield item;
        }
      }
      signal.throwIfAborted();
      await feeding;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  async #feed(payloads: AsyncIterable<Record<string, unknown>>): Promise<void> {
    let index = 0;
    for await (const payload of payloads) {
      void this.#begin(payload, index++);
      while (!this.#hasRoom()) await this.#changed.promise;
    }
  }

  #hasRoom(): boolean {
    const { maxUnacknowledged, signal } = this.#options;
    if (signal.aborted) return true;
    const hasRoom = this.#unacknowledged + this.#ready.length < maxUnacknowledged;
    return !this.#isPaused && this.#active.size < this.#limit && hasRoom;
  }

  async #begin(payload: Record<string, unknown>, index: number): Promise<void> {
    const id = this.#options.inputId();
    const submittedAtMs = Date.now();
    const sessionId = `session-of-${index}`.padEnd(33, '0');
    const timings = { submittedAtMs, acceptedMs: 1, noticedMs: 2, settledMs: 3, stoppedMs: 4 };
    this.#active.set(id, { id, index, member: 0, attempt: 0, sessionId, timings });
    this.#sent.push(payload);
    const outcome = await this.#script(payload, index);
    const about = { member: 0, attempt: 0, inputId: id, sessionId, invocationId: 'invocation' };
    const attempt = { ...about, resultKey: 'key', outcome, timings, throttled: 0, resent: 0 };
    const trajectory = (): Promise<never> => Promise.reject(new Error('no gateway'));
    this.#change(() => {
      this.#active.delete(id);
      this.#ready.push({
        ...attempt,
        id,
        index,
        attempts: [{ ...attempt, trajectory }],
        trajectory,
        acknowledge: () => {
          this.#change(() => (this.#unacknowledged -= 1));
          return Promise.resolve();
        },
        finished: () => Promise.resolve(timings),
      });
    });
  }

  #change(change: () => void): void {
    change();
    const { resolve } = this.#changed;
    this.#changed = Promise.withResolvers();
    resolve();
  }
}

export function okOutcome(document: Record<string, unknown>): RolloutOutcome {
  const reward = document['reward'] as number | undefined;
  return {
    kind: 'ok',
    document: { status_code: 200, stop_reason: 'end_turn', ...document },
    reward,
  };
}

export function failedOutcome(
  kind: 'lost' | 'timeout' | 'throttled' | 'rejected' | 'infra_error',
): RolloutOutcome {
  return { kind, error: new ArtError({ code: 'ART_ROLLOUT_TIMEOUT', message: `It was ${kind}.` }) };
}
