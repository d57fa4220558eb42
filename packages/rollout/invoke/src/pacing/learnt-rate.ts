/** Share of the passed rate that remains after a refusal. */
const kept = 0.85;

// One refusal may come from a burst of somebody else's, so this much of the rate stays whatever little was sent.
const leastKept = 0.25;

// Below it, waiting would cost more than asking.
const leastPerSecond = 1;

/** Time at the learnt rate until it is back where it was refused. */
const returnMs = 4_000;

// A late timer is made up for by this share of a gap; calls that came close together would meet limits that the rate does not.
const mostMadeUp = 0.2;

const slotMs = 20;
const slotsPerSecond = 1_000 / slotMs;

/**
 * The rate that a service lets through, learnt from its refusals (429): additive increase, multiplicative decrease. Nothing is
 * held up before the first refusal, nor once the rate is back at its limit.
 *
 * - Down to 85 % of what passed within the last second, for quotas count in seconds. The refusal of a call that was under
 *   way by then says nothing new.
 * - Up slowly around the rate that was refused, and faster the longer no refusal comes: the cubic curve of RFC 9438. Time counts
 *   by the calls that were taken, so a pause between two batches forgets nothing.
 *
 * All times are monotonic milliseconds.
 */
export class LearntRate {
  readonly #limit: number;
  #learnt: { refusedPerSecond: number; calmMs: number } | undefined;
  #loweredMs = Number.NEGATIVE_INFINITY;
  #nextMs = 0;
  /** Calls by the moment of their start, without those refused. */
  readonly #passed = new Map<number, number>();

  /** @param limitPerSecond the rate is never higher */
  constructor(limitPerSecond: number) {
    this.#limit = limitPerSecond;
  }

  /** Calls per second. */
  get perSecond(): number {
    if (this.#learnt === undefined) return this.#limit;
    const { refusedPerSecond, calmMs } = this.#learnt;
    return refusedPerSecond * (1 - (1 - kept) * (1 - calmMs / returnMs) ** 3);
  }

  /** Calls that started within the last second and were not refused. */
  passedWithinSecond(nowMs: number): number {
    const newestForgotten = Math.floor(nowMs / slotMs) - slotsPerSecond;
    let passed = 0;
    for (const [slot, calls] of this.#passed) {
      if (slot <= newestForgotten) this.#passed.delete(slot);
      else passed += calls;
    }
    return passed;
  }

  /** When the next call may start. */
  dueMs(nowMs: number): number {
    return this.#learnt === undefined ? nowMs : Math.max(nowMs, this.#nextMs);
  }

  started(nowMs: number): void {
    this.#count(nowMs, 1);
    const intervalMs = 1_000 / this.perSecond;
    this.#nextMs = Math.max(this.#nextMs, nowMs - intervalMs * mostMadeUp) + intervalMs;
  }

  /** The service took a call. */
  accepted(): void {
    if (this.#learnt === undefined) return;
    this.#learnt.calmMs += 1_000 / this.perSecond;
    if (this.perSecond >= this.#limit) this.#learnt = undefined;
  }

  /** The service refused a call that started at `startedMs`. */
  refused(startedMs: number, nowMs: number): void {
    this.#count(startedMs, -1);
    if (startedMs < this.#loweredMs) return;
    const { perSecond } = this;
    const least = Math.max(perSecond * leastKept, leastPerSecond);
    const lowered = Math.min(perSecond, Math.max(least, this.passedWithinSecond(nowMs) * kept));
    this.#learnt = { refusedPerSecond: lowered / kept, calmMs: 0 };
    this.#loweredMs = nowMs;
    this.#nextMs = nowMs + 1_000 / lowered;
  }

  #count(startedMs: number, calls: 1 | -1): void {
    const slot = Math.floor(startedMs / slotMs);
    this.#passed.set(slot, (this.#passed.get(slot) ?? 0) + calls);
    if (this.#passed.size > 2 * slotsPerSecond) this.passedWithinSecond(startedMs);
  }
}
