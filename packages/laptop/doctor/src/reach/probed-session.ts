import { randomBytes, randomUUID } from 'node:crypto';
import { callWithin, settleWithin, stringifyJson } from '@art/ground';
import {
  type AgentRuntime,
  formatRipRequest,
  type InvocationState,
  parseInvocationState,
  ripEnvelopeField,
} from '@art/protocol';
import { defaultReachLimits, placeholderUrl, reachVersion } from '@art/protocol/reach';
import { HeldCall } from './held-call.ts';
import { ProbeSocket } from './probe-socket.ts';

const answerWithinMs = 120_000;
const inFlightWithinMs = 10_000;
const stopWithinMs = 30_000;

/** A session with a rollout whose model calls come here, and wait. */
export class ProbedSession {
  readonly id = `art-doctor-${randomUUID()}`;
  readonly #runtime: AgentRuntime;
  readonly #invocationId = randomUUID();
  readonly #secret = randomBytes(32).toString('base64url');
  readonly #inFlight = new Set<Promise<unknown>>();
  readonly #calls = new Set<HeldCall>();
  readonly #firstCall = Promise.withResolvers<HeldCall>();
  #modelUrl: string | undefined;
  #stopping: Promise<void> | undefined;

  constructor(runtime: AgentRuntime) {
    this.#runtime = runtime;
  }

  /** Path of the model API that the agent is given. */
  get path(): string {
    return `/sessions/${this.id}/v1`;
  }

  /** The first call that came through a socket. */
  get firstCall(): Promise<HeldCall> {
    return this.#firstCall.promise;
  }

  /** Calls that wait. */
  get calls(): number {
    return this.#calls.size;
  }

  /** Starts the rollout. @returns undefined where the agent does not speak RIP */
  start(payload: Readonly<Record<string, unknown>>): Promise<InvocationState | undefined> {
    const config = {
      base_url: placeholderUrl(this.path),
      model_id: 'art-doctor',
      reach: { version: reachVersion, secret: this.#secret },
    };
    return this.#invoke({
      ...payload,
      _config: config,
      [ripEnvelopeField]: formatRipRequest({
        operation: 'start',
        invocationId: this.#invocationId,
        background: true,
      }),
    });
  }

  /** State of the rollout. @returns as `start` */
  state(): Promise<InvocationState | undefined> {
    const envelope = formatRipRequest({ operation: 'get', invocationId: this.#invocationId });
    return this.#invoke({ [ripEnvelopeField]: envelope });
  }

  /**
   * Opens a socket in place of the one before.
   * @param query goes into the query of its handshake
   * @throws RuntimeError; ArtError `ART_REACH_REFUSED`, `ART_REACH_LOST`, `ART_REACH_WIRE`
   */
  async dial({
    messageBytes = defaultReachLimits.messageBytes,
    query,
  }: { messageBytes?: number; query?: Record<string, string> } = {}): Promise<ProbeSocket> {
    const socket = await this.#send(() => this.#runtime.openSocket!(this.id, { query }));
    return ProbeSocket.open(socket, {
      sessionId: this.id,
      secret: this.#secret,
      messageBytes,
      onStream: (stream, head) => {
        const call = new HeldCall(stream, head);
        this.#calls.add(call);
        this.#firstCall.resolve(call);
        if (this.#modelUrl !== undefined) void call.answer(this.#modelUrl, this.path);
        return call.events(() => this.#calls.delete(call));
      },
    });
  }

  /** From here on calls are answered by a model, first those that wait. */
  answerFrom(modelUrl: string): void {
    this.#modelUrl = modelUrl;
    for (const call of this.#calls) void call.answer(modelUrl, this.path);
  }

  /** Stops the session, after what is on its way there, which would start it again. @throws RuntimeError where that failed */
  stop(): Promise<void> {
    return (this.#stopping ??= this.#stop());
  }

  async #stop(): Promise<void> {
    await settleWithin([...this.#inFlight], inFlightWithinMs);
    await callWithin((signal) => this.#runtime.stop(this.id, { signal }), { timeoutMs: stopWithinMs });
  }

  async #invoke(body: object): Promise<InvocationState | undefined> {
    const request = { sessionId: this.id, body: stringifyJson(body) };
    const answer = await this.#send(() =>
      callWithin((signal) => this.#runtime.invoke(request, { signal }), { timeoutMs: answerWithinMs }),
    );
    return parseInvocationState(answer.body, this.#invocationId);
  }

  async #send<T>(call: () => Promise<T>): Promise<T> {
    if (this.#stopping !== undefined) throw new Error('The session is stopped.');
    const sent = call();
    this.#inFlight.add(sent);
    try {
      return await sent;
    } finally {
      this.#inFlight.delete(sent);
    }
  }
}
