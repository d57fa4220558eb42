import type { SessionStateName, SessionStateQuestion } from '@art/protocol';
import { type RolloutState, sessionStateOf } from './rollout-state.ts';

/**
 * Which attempts this process has taken on, and where they are. A caller that is not sure whether its request arrived
 * sends it again with the same `attempt_id`; it gets the same answer, and the handler does not run twice.
 */
export class AttemptLedger {
  readonly #open = new Map<string, SessionStateName>();
  readonly #settled = new Map<string, SessionStateName>();
  readonly #limit: number;

  /** @param limit settled attempts that are remembered; the oldest is forgotten first. @default 10_000 */
  constructor(limit = 10_000) {
    this.#limit = limit;
  }

  /** Notes an attempt. False when it is known already, so nothing must be started. */
  claim(attempt: SessionStateQuestion): boolean {
    const place = placeOf(attempt);
    if (this.#open.has(place) || this.#settled.has(place)) return false;
    this.#open.set(place, 'running');
    return true;
  }

  /** Notes how an attempt gets on. */
  note(attempt: SessionStateQuestion, state: RolloutState): void {
    const place = placeOf(attempt);
    const name = sessionStateOf(state);
    if (state.kind !== 'settled') {
      this.#open.set(place, name);
      return;
    }
    this.#open.delete(place);
    this.#settled.set(place, name);
    if (this.#settled.size <= this.#limit) return;
    for (const oldest of this.#settled.keys()) {
      this.#settled.delete(oldest);
      break;
    }
  }

  stateOf(attempt: SessionStateQuestion): SessionStateName {
    const place = placeOf(attempt);
    return this.#open.get(place) ?? this.#settled.get(place) ?? 'unknown';
  }
}

function placeOf({ bucket, resultKey, attemptId }: SessionStateQuestion): string {
  return JSON.stringify([bucket, resultKey, attemptId]);
}

/** The attempt id of a rollout config; undefined for callers that send none, as the Python client. */
export function attemptIdOf(config: Record<string, unknown>): string | undefined {
  const value = Object.hasOwn(config, 'attempt_id') ? config['attempt_id'] : undefined;
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
