import type { OpenSession, RunLog } from '@art/journal';
import type { SessionStops } from '../lifecycle/session-stops.ts';

/**
 * Which items of a run were handed out and acknowledged, in its journal where it has one, and the sessions that earlier processes left
 * behind: those that nobody looks after are stopped.
 */
export class RunLedger {
  readonly #log: RunLog | undefined;
  readonly #stops: SessionStops;
  readonly #onReleased: () => void;
  readonly #handedOut = new Set<string>();
  /** Acknowledgements that are being written down, by item. */
  readonly #writing = new Map<string, Promise<void>>();
  #stopping: Promise<unknown> = Promise.resolve();
  #isEnded = false;

  /** @param onReleased called when nothing of the run is left here, which may be long after its end */
  constructor(log: RunLog | undefined, stops: SessionStops, onReleased: () => void) {
    this.#log = log;
    this.#stops = stops;
    this.#onReleased = onReleased;
    this.#stopEach(log?.takeSettledSessions());
  }

  /** Items that were handed out and not acknowledged. */
  get unacknowledged(): number {
    return this.#handedOut.size;
  }

  handOut(item: string): void {
    this.#handedOut.add(item);
    this.#stopEach(this.#log?.takeSessionsOf(item));
  }

  /** Resolves when it is written down; a second call for an item does nothing more. @throws ArtError */
  acknowledge(item: string): Promise<void> {
    const known = this.#writing.get(item);
    if (known !== undefined) return known;
    if (!this.#handedOut.has(item)) return Promise.resolve();
    const writing = this.#acknowledgeOnce(item);
    this.#writing.set(item, writing);
    // Its caller hears of a failure, and the run itself does.
    writing.catch(() => undefined);
    return writing;
  }

  /** Everything was handed out. @throws ArtError */
  async complete(): Promise<void> {
    if (this.unacknowledged === 0) await this.#log?.finished();
  }

  /**
   * Nothing more is handed out.
   * @param isLeft whether the sessions are left to another process
   * @param mayComplete whether items may still be acknowledged by a consumer that does so for itself, a training step later
   */
  async end({ isLeft, mayComplete }: { isLeft: boolean; mayComplete: boolean }): Promise<void> {
    if (!isLeft) this.#stopEach(this.#log?.takeForsakenSessions());
    await this.#stopping;
    if (mayComplete && this.#log !== undefined && this.unacknowledged > 0) this.#isEnded = true;
    else await this.release();
  }

  /** Releases the journal, whatever is still to be acknowledged. Idempotent. */
  async release(): Promise<void> {
    await this.#log?.close();
    this.#onReleased();
  }

  async #acknowledgeOnce(item: string): Promise<void> {
    await this.#log?.acknowledge(item);
    this.#handedOut.delete(item);
    if (this.#isEnded && this.unacknowledged === 0) {
      await this.#log?.finished().catch(() => undefined);
      await this.release();
    }
    this.#writing.delete(item);
  }

  #stopEach(sessions: readonly OpenSession[] = []): void {
    if (sessions.length === 0) return;
    const stopping = this.#stops.stopEach(sessions, ({ rollout }, result) =>
      this.#log?.rollout(rollout).stopped(result),
    );
    this.#stopping = Promise.all([this.#stopping, stopping]);
  }
}
