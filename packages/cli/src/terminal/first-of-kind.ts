/** Tells the first error of each kind while work goes on: what a thousand lines of output say is read too late. */
export class FirstOfKind {
  readonly #told = new Set<string>();

  /**
   * @param kind what failed: an outcome
   * @param at where: a rollout, a sample
   * @returns what to tell; undefined where that is no news
   */
  of(
    kind: string,
    { code, message }: { code: string; message: string },
    at: string,
    sessionId: string | null,
  ): string | undefined {
    const key = `${kind} ${code}`;
    if (this.#told.has(key)) return undefined;
    this.#told.add(key);
    const session = sessionId === null || sessionId === '' ? '' : `, session ${sessionId}`;
    return `First ${kind} (${at}${session}): ${code}: ${message}`;
  }
}
