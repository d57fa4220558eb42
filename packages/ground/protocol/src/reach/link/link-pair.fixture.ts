import { ManualClock } from '@art/ground/testing';
import type { ArtError } from '@art/ground';
import { readRecords } from '../wire/record.ts';
import type { LinkStream, StreamEvents } from './link-stream.ts';
import { ReachLink } from './reach-link.ts';

type Side = 'agent' | 'trainer';

/** Two links and the socket between them, which carries a message when it is told to. */
export class LinkPair {
  readonly clock = new ManualClock();
  readonly limits = { messageBytes: 24_576, messageIntervalMs: 5 };
  /** The trainer's handler of a call. */
  onStream: (stream: LinkStream, head: Buffer) => StreamEvents = () => ({
    onData: () => {},
    onEnd: () => {},
    onReset: () => {},
  });
  readonly ends: Partial<Record<Side, ArtError>> = {};
  /** When each message left, and its size. */
  readonly sent: Record<Side, { atMs: number; message: Buffer }[]> = { agent: [], trainer: [] };
  readonly agent = this.#link('agent');
  readonly trainer = this.#link('trainer');
  readonly #onTheWay: Record<Side, Buffer[]> = { agent: [], trainer: [] };
  #isCut = false;

  constructor() {
    this.agent.accept();
    this.trainer.accept();
  }

  /** Lets microtasks and 5 ms of time go by, and carries what was sent. @param carries of each side's messages @default all */
  async step(carries = { agent: Infinity, trainer: Infinity }): Promise<void> {
    await Promise.resolve();
    await Promise.resolve();
    for (const side of ['agent', 'trainer'] as const) {
      const to = side === 'agent' ? this.trainer : this.agent;
      for (const message of this.#onTheWay[side].splice(0, carries[side])) to.receive(message);
    }
    await Promise.resolve();
    await Promise.resolve();
    this.clock.advance(5);
  }

  /** Until nothing is on its way any more. */
  async settle(): Promise<void> {
    for (let idle = 0; idle < 4;) {
      const before = this.sent.agent.length + this.sent.trainer.length;
      await this.step();
      idle = before === this.sent.agent.length + this.sent.trainer.length ? idle + 1 : 0;
    }
  }

  cut(): void {
    this.#isCut = true;
    this.agent.lost('cut');
    this.trainer.lost('cut');
  }

  /** The records that a side sent, in their order. */
  records(side: Side) {
    return this.sent[side].flatMap(({ message }) => readRecords(message));
  }

  #link(side: Side): ReachLink {
    return new ReachLink({
      clock: this.clock,
      limits: this.limits,
      socket: {
        send: (bytes) => {
          const message = Buffer.from(bytes);
          this.sent[side].push({ atMs: this.clock.nowMs(), message });
          if (!this.#isCut) this.#onTheWay[side].push(message);
        },
        close: () => {},
        terminate: () => {},
      },
      events: {
        onHello: () => {},
        onStream: (stream, head) => (side === 'trainer' ? this.onStream(stream, head) : undefined),
        onEnd: (_link, error) => {
          this.ends[side] = error;
        },
      },
    });
  }
}
