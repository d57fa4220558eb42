import type { BatchItem, RolloutEvent } from '@art/client';
import type { RolloutOutcome } from '@art/protocol';

/** Tells the first error of each kind while a run goes on: what a thousand lines of output say is read too late. */
export class FirstErrors {
  readonly #told = new Set<string>();

  /** Of an attempt that came to its end, also of one that is tried again; undefined where there is nothing new. */
  ofEvent(event: RolloutEvent): string | undefined {
    return event.type === 'settled' ? this.#tell(event.outcome, event.index, event.sessionId) : undefined;
  }

  /** Of what was never sent, and so has no events. */
  ofItem({
    outcome,
    index,
    sessionId,
  }: Pick<BatchItem, 'outcome' | 'index' | 'sessionId'>): string | undefined {
    return this.#tell(outcome, index, sessionId);
  }

  #tell(outcome: RolloutOutcome, index: number, sessionId: string): string | undefined {
    if (outcome.kind === 'ok' || outcome.kind === 'cancelled') return undefined;
    const { code, message } = outcome.error;
    const kind = `${outcome.kind} ${code}`;
    if (this.#told.has(kind)) return undefined;
    this.#told.add(kind);
    const session = sessionId === '' ? '' : `, session ${sessionId}`;
    return `First ${outcome.kind} (rollout ${index}${session}): ${code}: ${message}`;
  }
}
