/** `first`: sent again after a refusal · `normal` · `yielding`: gives way to the others, within a bound. */
export type CallPriority = 'first' | 'normal' | 'yielding';

/** A call that waits for its turn. */
export interface WaitingCall {
  readonly priority: CallPriority;
  /** Since when, monotonic milliseconds. */
  readonly sinceMs: number;
  start(): void;
}

/** How long a yielding call gives way before it is overdue. */
const longestYieldMs = 2_000;

/**
 * The order of waiting calls: first in, first out, by priority. Yielding calls wait while there are others, but for no
 * more than `longestYieldMs`; from then on every second call is an overdue one, so neither kind can shut out the other.
 */
export class WaitingCalls {
  readonly #first = new Set<WaitingCall>();
  readonly #normal = new Set<WaitingCall>();
  readonly #yielding = new Set<WaitingCall>();
  #lastWasOverdue = false;

  get size(): number {
    return this.#first.size + this.#normal.size + this.#yielding.size;
  }

  add(call: WaitingCall): void {
    this.#line(call.priority).add(call);
  }

  /** Takes a call out of the queue, wherever it stands. */
  remove(call: WaitingCall): void {
    this.#line(call.priority).delete(call);
  }

  /** Takes the call whose turn it is. */
  shift(nowMs: number): WaitingCall | undefined {
    const oldestYielding = head(this.#yielding);
    const next = head(this.#first) ?? head(this.#normal);
    const isOverdue = oldestYielding !== undefined && nowMs - oldestYielding.sinceMs >= longestYieldMs;
    const useOverdue = isOverdue && !(this.#lastWasOverdue && next !== undefined);
    const call = useOverdue ? oldestYielding : (next ?? oldestYielding);
    this.#lastWasOverdue = useOverdue;
    if (call !== undefined) this.remove(call);
    return call;
  }

  #line(priority: CallPriority): Set<WaitingCall> {
    switch (priority) {
      case 'first':
        return this.#first;
      case 'normal':
        return this.#normal;
      case 'yielding':
        return this.#yielding;
    }
  }
}

function head(line: Set<WaitingCall>): WaitingCall | undefined {
  return line.values().next().value;
}
