import type { SampleRecord } from '@art/eval/records';

/** Tells the first sample of each kind of failure while a run goes on. */
export class FirstFailures {
  readonly #told = new Set<string>();

  /** Undefined where there is nothing new. */
  of({ id, outcome, error, judgeError, sessionId }: SampleRecord): string | undefined {
    const failure = error ?? judgeError;
    if (failure === null) return undefined;
    const kind = error === null ? 'unjudged sample' : outcome;
    const key = `${kind} ${failure.code}`;
    if (this.#told.has(key)) return undefined;
    this.#told.add(key);
    const session = sessionId === null ? '' : `, session ${sessionId}`;
    return `First ${kind} (${id}${session}): ${failure.code}: ${failure.message}`;
  }
}
