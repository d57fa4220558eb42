import { randomBytes } from 'node:crypto';
import { callWithin, type Clock, growingPauseMs, pause, ArtError, describeThrown } from '@art/ground';
import { type AgentRuntime } from '@art/protocol';
import {
  isSessionTarget,
  type LinkStream,
  openLink,
  placeholderUrl,
  type ReachLink,
  type ReachLimits,
  readCallHead,
  reachVersion,
  readWelcome,
  seenReason,
  type StreamEvents,
  writeHello,
} from '@art/protocol/reach';
import { forwardCall } from './forwarded-call.ts';

/** The dependencies that the sockets of all rollouts of a client share. */
export interface ReachDeps {
  openSocket: NonNullable<AgentRuntime['openSocket']>;
  limits: ReachLimits;
  /** When a socket is replaced, in milliseconds. */
  renewAfterMs: number;
  clock: Clock;
  warn: (message: string) => void;
  /** From 0 to 1. @default Math.random */
  random?: (() => number) | undefined;
}

/** The addresses and the secret of one rollout's session. */
export interface ReachedSession {
  sessionId: string;
  /** The gateway of the session as the trainer reaches it, without a slash at its end. */
  gatewayUrl: string;
  /** `/sessions/ID/v1`: nothing else is passed on. */
  path: string;
}

const dialPauses = { firstMs: 250, longestMs: 15_000, jitter: 0.5 };
// What the shells of AWS's own client do, too: one lost socket is no news.
const failuresToWarn = 5;
// Of a session that may have to start first.
const handshakeWithinMs = 60_000;
const welcomeWithinMs = 15_000;
// One that is lost sooner is a dial that failed: the next would be lost as soon.
const goodAfterMs = 10_000;
// How often it is looked whether a socket that was replaced has calls left.
const idleCheckMs = 1_000;
const ignored: StreamEvents = { onData: () => {}, onEnd: () => {}, onReset: () => {} };
// The share of that time in which sockets that were opened together are replaced one after the other.
const renewJitter = 0.1;

/** Keeps a socket into the session of one rollout, and carries the calls of its agent to the gateway. */
export class SessionReach {
  readonly #session: ReachedSession;
  readonly #deps: ReachDeps;
  readonly #secret = randomBytes(32).toString('base64url');
  /** Calls of which the gateway has had the last byte. They are never passed on a second time. */
  readonly #seen = new Set<number>();
  readonly #links = new Set<ReachLink>();
  readonly #closing = new AbortController();
  #apiKey: string | undefined;
  #work: Promise<void> | undefined;

  constructor(session: ReachedSession, deps: ReachDeps) {
    this.#session = session;
    this.#deps = deps;
  }

  /** The fields for the agent's server in the config of the rollout. */
  get config(): { base_url: string; reach: { version: number; secret: string } } {
    return {
      base_url: placeholderUrl(this.#session.path),
      reach: { version: reachVersion, secret: this.#secret },
    };
  }

  /** The gateway's key of the session. The agent never has it. */
  useKey(apiKey: string | undefined): void {
    this.#apiKey = apiKey;
  }

  /**
   * The session is there, or about to be: dials, and dials again, until it is closed.
   * @param onRefused called when the agent refuses this process, and ends that. Without it the agent may not be at work yet
   */
  start(onRefused?: (error: ArtError) => void): void {
    if (!this.#closing.signal.aborted) this.#work ??= this.#keepOpen(onRefused);
  }

  /** Ends the socket, and every call on it. Nothing is dialled after it. */
  async close(): Promise<void> {
    this.#closing.abort(new ArtError({ code: 'ART_CLOSED', message: 'The rollout has ended.' }));
    for (const link of this.#links) link.bye('the rollout has ended');
    // A dial that nobody waits for any more has rejected; whether its handshake still arrives, the stop of the session knows.
    await this.#work;
  }

  async #keepOpen(onRefused?: (error: ArtError) => void): Promise<void> {
    const { clock, random = Math.random, renewAfterMs } = this.#deps;
    const { signal } = this.#closing;
    for (let failures = 0; !signal.aborted;) {
      try {
        const { ended } = await this.#dial();
        const sinceMs = clock.nowMs();
        const due = Promise.withResolvers<undefined>();
        const cancel = clock.after(renewAfterMs * (1 - renewJitter * random()), () => due.resolve(undefined));
        const error = await Promise.race([ended, due.promise]);
        cancel();
        if (error !== undefined && clock.nowMs() - sinceMs < goodAfterMs) throw error;
        failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        if (onRefused !== undefined && ArtError.isInstance(error) && error.code === 'ART_REACH_REFUSED')
          return onRefused(error);
        failures += 1;
        if (failures === failuresToWarn) this.#warn(error);
        await pause(growingPauseMs(failures, { ...dialPauses, random }), { clock, signal }).catch(() => {});
      }
    }
  }

  /**
   * Opens a socket in place of those that there are, on which the calls that have begun run out.
   * @returns once it is in use
   * @throws why it is not
   */
  async #dial(): Promise<{ ended: Promise<ArtError> }> {
    const { openSocket, clock, limits } = this.#deps;
    const { sessionId } = this.#session;
    const { signal } = this.#closing;
    const socket = await callWithin((own) => openSocket(sessionId, { signal: own }), {
      signal,
      clock,
      timeoutMs: handshakeWithinMs,
    });
    const welcome = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<ArtError>();
    const earlier = [...this.#links];
    const link = openLink(socket, {
      clock,
      limits,
      events: {
        onHello: (one, bytes) => {
          readWelcome(bytes);
          one.accept();
          welcome.resolve();
        },
        onStream: (stream, head) => this.#forward(stream, head),
        onEnd: (one, error) => {
          this.#links.delete(one);
          welcome.reject(error);
          ended.resolve(error);
        },
      },
    });
    this.#links.add(link);
    if (signal.aborted) link.bye('the rollout has ended');
    link.hello(writeHello({ sessionId, secret: this.#secret, isOnly: earlier.length === 0, limits }));
    const cancel = clock.after(welcomeWithinMs, () => link.lost(`no answer within ${welcomeWithinMs} ms`));
    try {
      await welcome.promise;
    } finally {
      cancel();
    }
    for (const one of earlier) this.#endWhenIdle(one);
    return { ended: ended.promise };
  }

  #endWhenIdle(link: ReachLink): void {
    this.#deps.clock.after(idleCheckMs, () => {
      if (link.hasEnded) return;
      if (link.streams === 0) link.bye('replaced');
      else this.#endWhenIdle(link);
    });
  }

  #forward(stream: LinkStream, bytes: Buffer): StreamEvents {
    const { path, gatewayUrl } = this.#session;
    const head = readCallHead(bytes);
    if (!isSessionTarget(head.path, path)) {
      stream.reset('The trainer passes nothing on but the model calls of this session');
      return ignored;
    }
    if (this.#seen.has(head.call)) {
      stream.reset(seenReason);
      return ignored;
    }
    return forwardCall(stream, head, { gatewayUrl, apiKey: this.#apiKey }, () => {
      const isFirst = !this.#seen.has(head.call);
      this.#seen.add(head.call);
      return isFirst;
    });
  }

  #warn(error: unknown): void {
    this.#deps.warn(
      `The agent of session ${this.#session.sessionId} cannot reach the gateway through its socket, which is opened again: ${describeThrown(error).message}`,
    );
  }
}
