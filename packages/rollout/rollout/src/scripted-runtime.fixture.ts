import { callWithin } from '@art/ground';
import {
  buildResultKey,
  classifyRuntimeFailure,
  invocationStateWire,
  parseRipRequest,
  type AgentRuntime,
  type CallOptions,
  type InvocationAnswer,
  type InvocationState,
  type InvokeRequest,
  type StopOutcome,
} from '@art/protocol';
import { MemoryResultStore, type ResultStore } from '@art/store';

/** The behaviour of a session with its rollout; times in milliseconds. */
export interface SessionScript {
  /** Until the agent answers. @default 10 */
  acceptAfterMs?: number;
  /** From then until the document is stored. @default 50 */
  storeAfterMs?: number;
  storesNothing?: boolean;
  /** The text to store. @default an ok document with reward 1 */
  text?: string;
  /** The agent's answer. @default the right reply */
  answer?: string;
  /** HTTP status to fail with, once per entry; later sends continue as scripted. */
  failures?: number[];
  /** Message of a failure. */
  failureMessage?: string;
  /** The agent gets the request although the answer is a failure. */
  deliversDespiteFailure?: boolean;
  /** The session dies this long after it accepted. */
  diesAfterMs?: number;
  /** The agent speaks RIP: it runs no invocation twice, and can be asked for each. */
  speaksRip?: boolean;
  /** The answer to questions about the invocation, true or not. */
  says?: InvocationState | 'nonsense';
  /** The result of its handler, if it is not stored. @default { reward: 1 } */
  result?: unknown;
  /** The error that its handler fails with. */
  error?: string;
}

interface Payload {
  script?: SessionScript;
  _rollout?: Record<string, string>;
}

/** A runtime whose sessions do what the payload's `script` says, on whatever clock `setTimeout` runs. */
export class ScriptedRuntime implements AgentRuntime {
  readonly store: ResultStore;
  readonly sends: InvokeRequest[] = [];
  readonly stops: string[] = [];
  /** Sessions that were asked for an invocation, in order. */
  readonly questions: string[] = [];
  /** How often a handler was started for an attempt. */
  readonly handlerRuns = new Map<string, number>();
  readonly #machines = new Map<string, Machine>();
  readonly live = new Set<string>();
  readonly #timers = new Set<NodeJS.Timeout>();
  peakLive = 0;
  stopDelayMs = 0;
  /** How long a request is on its way, also one that was cut off meanwhile: its sender cannot call it back. */
  wayMs: (operation: 'start' | 'get') => number = () => 0;
  stopError: Error | undefined;

  constructor(store: ResultStore = new MemoryResultStore()) {
    this.store = store;
  }

  async invoke(request: InvokeRequest, options: CallOptions = {}): Promise<InvocationAnswer> {
    options.signal?.throwIfAborted();
    const wayMs = this.wayMs(parseRipRequest(JSON.parse(request.body) as Payload)!.operation);
    if (wayMs === 0) return this.#arrive(request, options);
    const arrival = wait(wayMs, undefined).then(() => this.#arrive(request, {}));
    return callWithin(() => arrival, options);
  }

  async #arrive(request: InvokeRequest, options: CallOptions): Promise<InvocationAnswer> {
    const { sessionId } = request;
    const payload = JSON.parse(request.body) as Payload;
    const envelope = parseRipRequest(payload)!;
    if (envelope.operation === 'get') return this.#answerQuestion(sessionId, envelope.invocationId);
    const sendsBefore = this.sends.filter((send) => send.sessionId === sessionId).length;
    this.sends.push(request);
    const script = payload.script ?? {};
    const failure = script.failures?.[sendsBefore];
    const isDelivered = failure === undefined || script.deliversDespiteFailure === true;
    if (isDelivered) this.#open(sessionId);
    await wait(script.acceptAfterMs ?? 10, options.signal);
    const { invocationId, background } = envelope;
    const at = placeOf(payload, sessionId);
    let work: Promise<void> | undefined;
    if (isDelivered) work = this.#start(sessionId, invocationId, script, at);
    if (failure !== undefined) {
      throw classifyRuntimeFailure({
        operation: 'InvokeAgentRuntime',
        httpStatus: failure === 0 ? undefined : failure,
        serviceMessage: script.failureMessage ?? 'scripted failure',
      });
    }
    if (script.answer !== undefined) return { body: script.answer };
    const place = at && { s3_bucket: at.bucket, result_key: at.key };
    if (script.speaksRip !== true) {
      if (at !== undefined) return { body: JSON.stringify({ status: 'processing', ...place }) };
      await work;
      return { body: JSON.stringify(resultOf(script)) };
    }
    if (!background) await work;
    const state = this.#machines.get(sessionId)?.get(invocationId) ?? { status: 'not_found' };
    return { body: JSON.stringify({ ...invocationStateWire(invocationId, state), ...place }) };
  }

  #answerQuestion(sessionId: string, invocationId: string): InvocationAnswer {
    this.questions.push(sessionId);
    // Anyone who calls a dead session wakes a fresh machine.
    this.#open(sessionId);
    const machine = this.#machines.get(sessionId)!;
    if (machine.says === 'nonsense') return { body: '"well, thank you"' };
    const state = machine.says ?? machine.get(invocationId) ?? { status: 'not_found' };
    return { body: JSON.stringify(invocationStateWire(invocationId, state)) };
  }

  async stop(sessionId: string, options: CallOptions = {}): Promise<StopOutcome> {
    this.stops.push(sessionId);
    if (this.stopDelayMs > 0) await wait(this.stopDelayMs, options.signal);
    if (this.stopError !== undefined) throw this.stopError;
    this.#machines.delete(sessionId);
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
    if (!this.#machines.has(sessionId)) this.#machines.set(sessionId, new Machine());
  }

  /** @returns when the handler is done, where it is started. */
  #start(
    sessionId: string,
    invocationId: string,
    script: SessionScript,
    at: { bucket: string; key: string } | undefined,
  ): Promise<void> | undefined {
    const machine = this.#machines.get(sessionId);
    if (machine === undefined || (script.speaksRip === true && machine.has(invocationId))) return undefined;
    this.handlerRuns.set(invocationId, (this.handlerRuns.get(invocationId) ?? 0) + 1);
    machine.set(invocationId, { status: 'in_progress' });
    machine.says = script.says;
    if (script.diesAfterMs !== undefined) {
      this.#later(script.diesAfterMs, () => {
        if (this.#machines.get(sessionId) !== machine) return;
        this.live.delete(sessionId);
        this.#machines.delete(sessionId);
      });
    }
    if (script.storesNothing === true) return undefined;
    return new Promise((resolve) => {
      this.#later(script.storeAfterMs ?? 50, () => {
        if (this.#machines.get(sessionId) !== machine) return;
        if (at !== undefined) void this.store.put(at, script.text ?? '{"rewards": 1, "status_code": 200}');
        const { error } = script;
        machine.set(invocationId, {
          status: 'completed',
          ...(error === undefined ? { result: resultOf(script) } : { error }),
        });
        resolve();
      });
    });
  }
}

/** The disk of a session: invocations by their ids. */
class Machine extends Map<string, InvocationState> {
  says: SessionScript['says'];
}

function placeOf(payload: Payload, sessionId: string): { bucket: string; key: string } | undefined {
  const rollout = payload._rollout;
  if (rollout === undefined) return undefined;
  const { exp_id: expId = '', input_id: inputId = '', s3_bucket: bucket = '' } = rollout;
  return { bucket, key: buildResultKey({ expId, inputId, sessionId }) };
}

function resultOf(script: SessionScript): unknown {
  return script.result === undefined ? { reward: 1 } : script.result;
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
