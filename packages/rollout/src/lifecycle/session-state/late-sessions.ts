import { ArtError, type AgentRuntime } from '@art/protocol';
import type { ResultStore } from '@art/store';
import type { Clock } from '../../clock.ts';
import type { RolloutAddress } from '../../rollout-request.ts';
import { askSession, type SessionAnswer } from './ask-session.ts';
import { DurationRecord } from './duration-record.ts';
import type { LateSessionRules } from './late-session-options.ts';

export interface LateSessionsParts {
  runtime: AgentRuntime;
  store: ResultStore;
  clock: Clock;
  rules: LateSessionRules;
}

/** A rollout whose session works on it. */
export interface WorkingRollout {
  address: RolloutAddress;
  /** Whether its agent understands the question; others are counted and never asked. */
  answersState: boolean;
  /** Called at most once, when the session turns out to have died. */
  onLost: (error: ArtError) => void;
}

interface Entry extends WorkingRollout {
  acceptedMs: number;
  askAtMs: number;
  /** How often in a row the agent said that its result is stored. */
  storedAnswers: number;
  ending: AbortController;
}

/** What a rollout does with its place among the others. */
export interface WorkingPlace {
  /** The result is there: its duration counts. */
  noticed(): void;
  /** It is over for another reason. */
  end(): void;
}

const tickMs = 1_000;
// The machine that replaces one that fell over needs a moment, and then says that it knows nothing.
const askAfterDeathMs = 5_000;
// The store shows a result at once; one that is still missing at the second answer was accepted and then lost.
const storedAnswersToDoubt = 2;

/**
 * Finds out which sessions have died without a result, long before their deadline: rollouts that take longer than most
 * are asked now and then. A session that answers "unknown" is a fresh machine in place of a dead one.
 */
export class LateSessions {
  readonly #parts: LateSessionsParts;
  readonly #durations = new DurationRecord();
  // In the order of acceptance, so that a look at it ends at the first one that is not late.
  readonly #entries = new Set<Entry>();
  #allowance = 0;
  #cancelTick: (() => void) | undefined;

  constructor(parts: LateSessionsParts) {
    this.#parts = parts;
  }

  add(rollout: WorkingRollout): WorkingPlace {
    const acceptedMs = this.#parts.clock.nowMs();
    const entry: Entry = {
      ...rollout,
      acceptedMs,
      askAtMs: acceptedMs,
      storedAnswers: 0,
      ending: new AbortController(),
    };
    if (rollout.answersState) {
      this.#entries.add(entry);
      this.#cancelTick ??= this.#parts.clock.after(tickMs, () => this.#tick());
    }
    return {
      noticed: () => {
        this.#durations.add(this.#parts.clock.nowMs() - acceptedMs);
        this.#remove(entry);
      },
      end: () => this.#remove(entry),
    };
  }

  #remove(entry: Entry): void {
    this.#entries.delete(entry);
    entry.ending.abort(new Error('the rollout is over'));
    if (this.#entries.size > 0) return;
    this.#cancelTick?.();
    this.#cancelTick = undefined;
  }

  #tick(): void {
    const { clock, rules } = this.#parts;
    this.#cancelTick = clock.after(tickMs, () => this.#tick());
    const { questionsPerSecond } = rules;
    // A rate below one a second saves up for its next question.
    this.#allowance = Math.min(
      Math.max(1, questionsPerSecond),
      this.#allowance + (questionsPerSecond * tickMs) / 1_000,
    );
    const nowMs = clock.nowMs();
    const lateAfterMs = this.#durations.p95Ms ?? rules.lateAfterMs;
    const due: Entry[] = [];
    for (const entry of this.#entries) {
      if (nowMs - entry.acceptedMs <= lateAfterMs) break;
      if (entry.askAtMs <= nowMs) due.push(entry);
    }
    // Whoever has waited longest for its question comes first, so that a small budget reaches everyone in turn.
    due.sort((a, b) => a.askAtMs - b.askAtMs);
    for (const entry of due) {
      if (this.#allowance < 1) return;
      this.#allowance -= 1;
      // Until the answer is there nothing else is asked of it.
      entry.askAtMs = Number.POSITIVE_INFINITY;
      void this.#ask(entry);
    }
  }

  async #ask(entry: Entry): Promise<void> {
    const { clock, rules } = this.#parts;
    const answer = await askSession(entry.address, { ...this.#parts, signal: entry.ending.signal });
    if (!this.#entries.has(entry)) return;
    entry.askAtMs = clock.nowMs() + (answer === 'died' ? askAfterDeathMs : rules.askAgainMs);
    entry.storedAnswers = answer === 'stored' ? entry.storedAnswers + 1 : 0;
    if (answer === 'mute') {
      this.#remove(entry);
      return;
    }
    const problem = problemOf(answer, entry);
    if (problem === undefined || (await this.#isStored(entry)) || !this.#entries.has(entry)) return;
    this.#remove(entry);
    entry.onLost(new ArtError({ code: 'ART_ROLLOUT_LOST', message: problem }));
  }

  // A result that is there after all is the watcher's to notice; a store that cannot say so now leaves the matter open.
  async #isStored({ address: { bucket, resultKey }, ending }: Entry): Promise<boolean> {
    try {
      return await this.#parts.store.exists({ bucket, key: resultKey }, { signal: ending.signal });
    } catch {
      return true;
    }
  }
}

function problemOf(answer: SessionAnswer, { address, storedAnswers }: Entry): string | undefined {
  const { sessionId, resultKey, bucket } = address;
  if (answer === 'unknown')
    return `Session ${sessionId} died without storing a result: the machine that answers for it now has never heard of the rollout. Its log tells why: a crash, a kill, or memory that ran out.`;
  if (answer === 'stored' && storedAnswers >= storedAnswersToDoubt)
    return `Session ${sessionId} says that its result was stored, but bucket ${JSON.stringify(bucket)} has nothing under ${JSON.stringify(resultKey)}. Do agent and client use the same store, and does anything delete from it?`;
  return undefined;
}
