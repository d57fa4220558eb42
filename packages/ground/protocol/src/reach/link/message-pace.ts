import type { Clock } from '@art/ground';
import type { Outbox } from '../wire/outbox.ts';
import type { ReachLimits } from '../wire/reach-limits.ts';

export interface MessagePaceDeps {
  outbox: Outbox;
  limits: ReachLimits;
  clock: Clock;
  /** Takes a message that leaves now. */
  send: (message: Buffer) => void;
}

/** When the messages of an outbox leave: no two of them sooner after each other than AgentCore allows. */
export class MessagePace {
  readonly #deps: MessagePaceDeps;
  #limits: ReachLimits;
  #sentAtMs = -Infinity;
  #isPlanned = false;
  #cancel: (() => void) | undefined;
  #hasEnded = false;

  constructor(deps: MessagePaceDeps) {
    this.#deps = deps;
    this.#limits = deps.limits;
  }

  get limits(): ReachLimits {
    return this.#limits;
  }

  set limits(limits: ReachLimits) {
    this.#limits = limits;
    this.#deps.outbox.messageBytes = limits.messageBytes;
  }

  /** There is something to send. */
  plan(): void {
    if (this.#isPlanned || this.#hasEnded) return;
    this.#isPlanned = true;
    const { clock } = this.#deps;
    const waitMs = this.#sentAtMs + this.#limits.messageIntervalMs - clock.nowMs();
    // What one turn of the event loop brings goes together, also where nothing has to wait.
    if (waitMs <= 0) queueMicrotask(() => this.#flush());
    else this.#cancel = clock.after(waitMs, () => this.#flush());
  }

  /** Nothing is sent from here on. */
  end(): void {
    this.#hasEnded = true;
    this.#cancel?.();
  }

  #flush(): void {
    this.#isPlanned = false;
    if (this.#hasEnded) return;
    const { outbox, clock, send } = this.#deps;
    const nowMs = clock.nowMs();
    // A timer may come a little early.
    if (nowMs < this.#sentAtMs + this.#limits.messageIntervalMs) return this.plan();
    const message = outbox.next();
    if (message === undefined) return;
    this.#sentAtMs = nowMs;
    send(message);
    this.plan();
  }
}
