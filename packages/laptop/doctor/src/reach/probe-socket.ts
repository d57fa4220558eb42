import { callWithin, systemClock, type ArtError } from '@art/ground';
import type { SessionSocket } from '@art/protocol';
import {
  defaultReachLimits,
  openLink,
  reachError,
  type ReachLink,
  readWelcome,
  type StreamEvents,
  type LinkStream,
  type Welcome,
  writeHello,
} from '@art/protocol/reach';

export interface ProbeSocketOptions {
  sessionId: string;
  secret: string;
  /** Most bytes that both ends may put into a message. */
  messageBytes: number;
  /** Serves a call of the agent. */
  onStream: (stream: LinkStream, head: Buffer) => StreamEvents;
}

/** Answer to a ping. */
export interface Pong {
  /** Bytes that the ping carried; fewer where the other end had to cut it, or knows no payloads. */
  bytes: number;
  tookMs: number;
}

const welcomeWithinMs = 15_000;

/** A socket into a session, and what it takes to measure it. */
export class ProbeSocket {
  readonly #link: ReachLink;
  readonly #welcome = Promise.withResolvers<Welcome>();
  readonly #ended = Promise.withResolvers<ArtError>();

  private constructor(socket: SessionSocket, { messageBytes, onStream }: ProbeSocketOptions) {
    this.#welcome.promise.catch(() => {});
    this.#link = openLink(socket, {
      clock: systemClock,
      limits: { ...defaultReachLimits, messageBytes },
      events: {
        onHello: (link, bytes) => {
          const welcome = readWelcome(bytes);
          link.accept();
          this.#welcome.resolve(welcome);
        },
        onStream,
        onEnd: (_link, error) => {
          this.#welcome.reject(error);
          this.#ended.resolve(error);
        },
      },
    });
  }

  /** @throws ArtError `ART_REACH_REFUSED`, `ART_REACH_LOST`, `ART_REACH_WIRE` */
  static async open(socket: SessionSocket, options: ProbeSocketOptions): Promise<ProbeSocket> {
    const probe = new ProbeSocket(socket, options);
    const { sessionId, secret, messageBytes } = options;
    const limits = { ...defaultReachLimits, messageBytes };
    probe.#link.hello(writeHello({ sessionId, secret, isOnly: true, limits }));
    try {
      await callWithin(() => probe.#welcome.promise, {
        timeoutMs: welcomeWithinMs,
        timeoutError: () =>
          reachError('ART_REACH_LOST', `The agent gave no answer within ${welcomeWithinMs} ms.`),
      });
    } catch (error) {
      probe.close();
      throw error;
    }
    return probe;
  }

  get welcome(): Promise<Welcome> {
    return this.#welcome.promise;
  }

  /** Resolves when it is over, with why. */
  get ended(): Promise<ArtError> {
    return this.#ended.promise;
  }

  /**
   * @param bytes how much the ping and its answer carry, at most what fits into a message
   * @throws ArtError why the socket ended before
   */
  async ping(bytes = 0): Promise<Pong> {
    const sentAtMs = performance.now();
    const { promise: pong, resolve } = Promise.withResolvers<Pong>();
    this.#link.ping(Buffer.alloc(bytes, 'x'), ({ length }) =>
      resolve({ bytes: length, tookMs: performance.now() - sentAtMs }),
    );
    const ended = this.ended.then((error) => Promise.reject(error));
    return Promise.race([pong, ended]);
  }

  close(): void {
    this.#link.bye('the check is over');
  }
}
