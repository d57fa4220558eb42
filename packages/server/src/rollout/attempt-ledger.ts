/**
 * Which attempts this process has taken on. A caller that is not sure whether its request arrived sends it again with
 * the same `attempt_id`; it gets the same answer, and the handler does not run twice.
 */
export class AttemptLedger {
  readonly #attempts = new Map<string, string>();
  readonly #limit: number;

  /** @param limit attempts that are remembered; the oldest is forgotten first. @default 10_000 */
  constructor(limit = 10_000) {
    this.#limit = limit;
  }

  /** Notes an attempt. False when it is known already, so nothing must be started. */
  claim(bucket: string, resultKey: string, attemptId: unknown): boolean {
    // Callers that send no attempt id (the Python client) have every invocation run, as the Python app does.
    if (typeof attemptId !== 'string' && typeof attemptId !== 'number') return true;
    const place = `${bucket}\n${resultKey}`;
    if (this.#attempts.get(place) === String(attemptId)) return false;
    this.#attempts.delete(place);
    this.#attempts.set(place, String(attemptId));
    if (this.#attempts.size > this.#limit) {
      for (const oldest of this.#attempts.keys()) {
        this.#attempts.delete(oldest);
        break;
      }
    }
    return true;
  }
}
