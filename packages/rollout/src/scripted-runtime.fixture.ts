import {
  buildResultKey,
  classifyRuntimeFailure,
  parseSessionStateQuestion,
  sessionStateAdvertisement,
  type AgentRuntime,
  type CallOptions,
  type InvocationAnswer,
  type InvokeRequest,
  type StopOutcome,
} from '@art/protocol';
import { MemoryResultStore, type ResultStore } from '@art/store';

/** What a session does with the rollout that it gets; times in milliseconds. */
export interface SessionScript {
  /** Until the agent answers. @default 10 */
  acceptAfterMs?: number;
  /** From then until the document is stored. @default 50 */
  storeAfterMs?: number;
  storesNothing?: boolean;
  /** The text to store. @default an ok document with reward 1 */
  text?: string;
  /** What the agent answers. @default the right reply */
  answer?: string;
  /** HTTP status to fail with, once per entry; later sends go on as scripted. */
  failures?: number[];
  /** Message of a failure. */
  failureMessage?: string;
  /** The agent gets the request although the answer is a failure. */
  deliversDespiteFailure?: boolean;
  /** The session dies this long after it accepted. */
  diesAfterMs?: number;
  /** The agent offers to be asked for its state. */
  answersState?: boolean;
  /** What it says while it lives. @default 'running' */
  says?: string;
}

/** A runtime whose sessions do what the payload's `script` says, on whatever clock `setTimeout` runs. */
export class ScriptedRuntime implements AgentRuntime {
  readonly store: ResultStore;
  readonly sends: InvokeRequest[] = [];
  readonly stops: string[] = [];
  /** Sessions that were asked for their state, in order. */
  readonly questions: string[] = [];
  /** How often a handler was started for an attempt. */
  readonly handlerRuns = new Map<string, number>();
  readonly #says = new Map<string, string>();
  readonly live = new Set<string>();
  readonly #timers = new Set<NodeJS.Timeout>();
  peakLive = 0;
  stopDelayMs = 0;
  stopError: Error | undefined;

  constructor(store: ResultStore = new MemoryResultStore()) {
    this.store = store;
  }

  async invoke(request: InvokeRequest, options: CallOptions = {}): Promise<InvocationAnswer> {
    options.signal?.throwIfAborted();
    const question = parseSessionStateQuestion(JSON.parse(request.body));
    if (question !== undefined) return this.#answerQuestion(request.sessionId, question.attemptId);
    const sendsBefore = this.sends.filter((send) => send.sessionId === request.sessionId).length;
    this.sends.push(request);
    const payload = JSON.parse(request.body) as { script?: SessionScript; _rollout: Record<string, string> };
    const script = payload.script ?? {};
    const failure = script.failures?.[sendsBefore];
    const isDelivered = failure === undefined || script.deliversDespiteFailure === true;
    if (isDelivered) this.#open(request.sessionId);
    await wait(script.acceptAfterMs ?? 10, options.signal);
    const rollout = payload._rollout;
    const at = {
      bucket: rollout['s3_bucket']!,
      key: buildResultKey({
        expId: rollout['exp_id']!,
        inputId: rollout['input_id']!,
        sessionId: request.sessionId,
      }),
    };
    const attemptId = rollout['attempt_id']!;
    const runs = this.handlerRuns.get(attemptId) ?? 0;
    // An agent that offers its state tells a repeat from a new attempt.
    if (isDelivered && (runs === 0 || script.answersState !== true)) {
      this.handlerRuns.set(attemptId, runs + 1);
      this.#work(request.sessionId, script, at);
    }
    if (failure !== undefined) {
      throw classifyRuntimeFailure({
        operation: 'InvokeAgentRuntime',
        httpStatus: failure === 0 ? undefined : failure,
        serviceMessage: script.failureMessage ?? 'scripted failure',
      });
    }
    const reply = {
      status: 'processing',
      s3_bucket: at.bucket,
      result_key: at.key,
      ...(script.answersState === true && sessionStateAdvertisement),
    };
    return { body: script.answer ?? JSON.stringify(reply) };
  }

  #answerQuestion(sessionId: string, attemptId: string): InvocationAnswer {
    this.questions.push(sessionId);
    const state = this.live.has(sessionId) ? (this.#says.get(sessionId) ?? 'unknown') : 'unknown';
    // Whoever calls a dead session wakes a fresh machine.
    this.#open(sessionId);
    return { body: JSON.stringify({ status: 'state', state, attempt_id: attemptId }) };
  }

  async stop(sessionId: string, options: CallOptions = {}): Promise<StopOutcome> {
    this.stops.push(sessionId);
    if (this.stopDelayMs > 0) await wait(this.stopDelayMs, options.signal);
    if (this.stopError !== undefined) throw this.stopError;
    return this.live.delete(sessionId) ? { kind: 'stopped' } : { kind: 'not_found' };
  }

  /** Forgets what its sessions would still have done, so that only timers of the code under test are left. */
  clearTimers(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #later(delayMs: number, work: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      work();
    }, delayMs);
    this.#timers.add(timer);
  }

  #open(sessionId: string): void {
    this.live.add(sessionId);
    this.peakLive = Math.max(this.peakLive, this.live.size);
  }

  #work(sessionId: string, script: SessionScript, at: { bucket: string; key: string }): void {
    this.#says.set(sessionId, script.says ?? 'running');
    if (script.diesAfterMs !== undefined) {
      this.#later(script.diesAfterMs, () => {
        this.live.delete(sessionId);
        this.#says.delete(sessionId);
      });
    }
    if (script.storesNothing === true) return;
    this.#later(script.storeAfterMs ?? 50, () => {
      if (this.live.has(sessionId))
        void this.store.put(at, script.text ?? '{"rewards": 1, "status_code": 200}');
    });
  }
}

function wait(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, delayMs);
    signal?.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        reject(signal.reason as Error);
      },
      { once: true },
    );
  });
}

/** A store without `list` and `watch`: the least that a user must implement. */
export function minimalStore(store: ResultStore): ResultStore {
  return {
    put: (at, body, options) => store.put(at, body, options),
    get: (at, options) => store.get(at, options),
    exists: (at, options) => store.exists(at, options),
  };
}
