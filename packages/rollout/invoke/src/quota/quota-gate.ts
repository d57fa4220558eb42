import { type Clock, systemClock } from '@art/ground';
import type { EventChannel } from '../event-channel.ts';
import type { RuntimeEvent } from '@art/protocol';
import {
  admissionDueMs,
  admissionNow,
  nextQuotaState,
  type QuotaAdmission,
  type QuotaChange,
  type QuotaState,
} from './quota-state.ts';

/** Lets new sessions through while there is room for them; see `QuotaState` for the rules. Keeps no timer. */
export class QuotaGate {
  #state: QuotaState = { kind: 'open' };
  #onChange: () => void = () => {};
  readonly #events: EventChannel<RuntimeEvent>;
  readonly #clock: Clock;

  constructor(events: EventChannel<RuntimeEvent>, clock: Clock = systemClock) {
    this.#events = events;
    this.#clock = clock;
  }

  /** Sets the listener for changes of `dueMs`. */
  onChange(listener: () => void): void {
    this.#onChange = listener;
  }

  /** When the next session may go, monotonic milliseconds; `Infinity` while that is not known. */
  dueMs(nowMs: number): number {
    return admissionDueMs(this.#state, nowMs);
  }

  /** Lets one session in. Every admission must be settled by `apply`. */
  admit(nowMs: number): QuotaAdmission | undefined {
    const admission = admissionNow(this.#state, nowMs);
    if (admission !== undefined) this.apply({ kind: 'admitted', admission });
    return admission;
  }

  apply(change: QuotaChange): void {
    const before = this.#state;
    const nowMs = this.#clock.nowMs();
    const after = nextQuotaState(before, change, nowMs);
    if (after === before) return;
    this.#state = after;
    const atMs = this.#clock.epochMs();
    if (before.kind === 'open' && after.kind === 'paused' && change.kind === 'refused')
      this.#events.emit({
        type: 'quota_paused',
        atMs,
        sessionId: change.sessionId,
        probeInMs: after.probeDelayMs,
      });
    if (before.kind === 'paused' && after.kind === 'open')
      this.#events.emit({ type: 'quota_resumed', atMs, pausedForMs: nowMs - before.sinceMs });
    if (change.kind !== 'admitted') this.#onChange();
  }
}
