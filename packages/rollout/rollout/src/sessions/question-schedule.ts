import type { Clock } from '@art/ground';
import { Alarm } from '../watcher/alarm.ts';

/**
 * Asks a session. Nothing else is asked of it until this resolves, with when it is to be asked again, on the clock's monotonic
 * time; undefined where it is not. Never rejects.
 */
export type Ask = () => Promise<number | undefined>;

interface Question {
  dueAtMs: number;
  ask: Ask;
}

const shortestTickMs = 25;
// Enough to use the budget where answers take half a second. A runtime that slows down further is not buried in questions, and
// what has waited there does not come out as more than the budget.
const underWayPerSecond = 0.5;
// Of a second's budget: may be asked at once, for a process that is late for its timers.
const burstShare = 0.1;
// Comes in evenly. The rest is for the bunches that calls arrive in.
const evenShare = 0.75;
const fewestUnderWay = 4;

/**
 * Asks sessions when their questions are due, within one budget. Anyone who is overdue longest comes first, so that a budget
 * that is too small for all stretches every session's pauses alike. Idle while there is nothing to ask.
 */
export class QuestionSchedule {
  readonly #clock: Clock;
  readonly #perSecond: number;
  readonly #waiting = new Set<Question>();
  readonly #asking = new Set<Question>();
  #allowance: number;
  #refilledMs: number;
  readonly #alarm: Alarm;

  /** @param perSecond most questions, over all sessions */
  constructor(clock: Clock, perSecond: number) {
    this.#clock = clock;
    this.#alarm = new Alarm(clock);
    this.#perSecond = perSecond;
    this.#allowance = 1;
    this.#refilledMs = clock.nowMs();
  }

  /** @returns what takes it off again; a question that is under way then is the caller's to end. */
  add(dueAtMs: number, ask: Ask): () => void {
    const question = { dueAtMs, ask };
    this.#waiting.add(question);
    this.#wakeAt(dueAtMs);
    return () => {
      this.#waiting.delete(question);
      this.#asking.delete(question);
      if (this.#waiting.size === 0) this.#alarm.cancel();
    };
  }

  #wakeAt(atMs: number): void {
    if (atMs < this.#alarm.atMs) this.#alarm.set(atMs, () => this.#tick());
  }

  #tick(): void {
    const nowMs = this.#clock.nowMs();
    this.#refill(nowMs);
    const due: Question[] = [];
    let nextMs = Number.POSITIVE_INFINITY;
    for (const question of this.#waiting) {
      if (question.dueAtMs <= nowMs) due.push(question);
      else nextMs = Math.min(nextMs, question.dueAtMs);
    }
    due.sort((a, b) => a.dueAtMs - b.dueAtMs);
    const mostUnderWay = Math.max(fewestUnderWay, this.#perSecond * underWayPerSecond);
    let asked = 0;
    for (const question of due) {
      if (this.#allowance < 1 || this.#asking.size >= mostUnderWay) break;
      this.#allowance -= 1;
      asked += 1;
      void this.#ask(question);
    }
    if (asked < due.length) {
      const refillMs = ((1 - this.#allowance) / this.#refillPerSecond) * 1_000;
      nextMs = Math.min(nextMs, nowMs + refillMs);
    }
    this.#wakeAt(Math.max(nowMs + shortestTickMs, nextMs));
  }

  #refill(nowMs: number): void {
    const gained = ((nowMs - this.#refilledMs) / 1_000) * this.#refillPerSecond;
    this.#refilledMs = nowMs;
    this.#allowance = Math.min(Math.max(1, this.#perSecond * burstShare), this.#allowance + gained);
  }

  // What is too little for a burst comes one by one.
  get #refillPerSecond(): number {
    return this.#perSecond * burstShare < 1 ? this.#perSecond : this.#perSecond * evenShare;
  }

  async #ask(question: Question): Promise<void> {
    this.#waiting.delete(question);
    this.#asking.add(question);
    const dueAtMs = await question.ask();
    if (!this.#asking.delete(question) || dueAtMs === undefined) return;
    question.dueAtMs = dueAtMs;
    this.#waiting.add(question);
    this.#wakeAt(Math.max(dueAtMs, this.#clock.nowMs() + shortestTickMs));
  }
}
