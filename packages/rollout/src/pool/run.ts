import type { OpenSession } from '@art/journal';
import type { ArtError } from '@art/protocol';
import { AttemptPool } from './attempt-pool.ts';
import type { RunOptions } from './run-options.ts';
import type { RunParts } from './run-parts.ts';
import type { Scheduler, SchedulerParts } from './scheduler.ts';

/** What a run yields: the rollout of a payload, or a group of them. */
export interface RunItem {
  index: number;
  acknowledge(): Promise<void>;
}

/**
 * A batch or a run of groups, as its iterator drives it. With a journal items are acknowledged, what earlier processes left
 * behind is cleared away, and the journal is let go at the end. When it breaks, nothing more is handed out, for nobody could
 * remember that it was.
 */
export class Run<Item extends RunItem> {
  readonly #pool: AttemptPool<Item>;
  readonly #options: RunOptions;
  readonly #parts: RunParts;
  #previous: Item | undefined;
  #clearing: Promise<unknown> = Promise.resolve();
  #stopped: Promise<void> | undefined;
  readonly #letGo = Promise.withResolvers<void>();

  constructor(options: RunOptions, parts: RunParts, schedule: (parts: SchedulerParts<Item>) => Scheduler) {
    this.#pool = new AttemptPool(options, parts, schedule);
    this.#options = options;
    this.#parts = parts;
  }

  /** Resolves when nothing of it is left: it was stopped, and its journal let go, which may wait for acknowledgements. */
  get letGo(): Promise<void> {
    return this.#letGo.promise;
  }

  begin(): void {
    this.#clear(this.#parts.session?.takeSettledSessions());
    this.#pool.begin();
  }

  /**
   * The next item; undefined when the run is over and every session was stopped.
   * @throws the source's error, or the reason of the stop
   */
  async next(): Promise<Item | undefined> {
    const { session } = this.#parts;
    await this.#acknowledgePrevious();
    let item = await this.#pool.next();
    if (session === undefined) return item;
    const { record } = session;
    // A broken journal makes the run end by itself, with the failure; until then its items stay in the store.
    while (item !== undefined && record.broken.aborted) item = await this.#pool.next();
    if (item === undefined) {
      record.broken.throwIfAborted();
      if (this.#pool.isComplete && session.isAcknowledged) await record.finished();
      return undefined;
    }
    session.handOut(item.index);
    this.#clear(session.takeSessionsOf(item.index));
    this.#previous = item;
    return item;
  }

  /** Gives up everything outstanding; resolves when every session was told to stop. */
  stop(reason: unknown): Promise<void> {
    this.#stopped ??= this.#stopOnce(reason);
    return this.#stopped;
  }

  /** Lets go of the journal, whatever is still to be acknowledged. Idempotent. */
  async close(): Promise<void> {
    await this.#parts.session?.record.close();
    this.#letGo.resolve();
  }

  async #stopOnce(reason: unknown): Promise<void> {
    await this.#pool.stop(reason);
    const { session } = this.#parts;
    if (session === undefined) return await this.close();
    const { record } = session;
    const { broken } = record;
    const isTakenOver = broken.aborted && (broken.reason as ArtError).code === 'ART_JOURNAL_LOST';
    const isLeft = isTakenOver || this.#options.detachSignal?.aborted === true;
    if (!isLeft) this.#clear(session.takeForsakenSessions());
    await this.#clearing;
    const mayComplete = this.#pool.isComplete && this.#options.acknowledge === 'explicit' && !broken.aborted;
    if (!mayComplete || session.isAcknowledged) return await this.close();
    // Consumers that acknowledge for themselves may do so after the last item, a training step later.
    session.onAllAcknowledged(async () => {
      await record.finished().catch(() => undefined);
      await this.close();
    });
  }

  async #acknowledgePrevious(): Promise<void> {
    const previous = this.#previous;
    this.#previous = undefined;
    if (previous === undefined || this.#options.acknowledge === 'explicit') return;
    // A journal that cannot be written ends the run in order; it says so itself.
    await previous.acknowledge().catch(() => undefined);
  }

  #clear(sessions: readonly OpenSession[] = []): void {
    if (sessions.length === 0) return;
    const { session, stops } = this.#parts;
    const clearing = stops.stopEach(sessions, ({ rollout }, result) =>
      session?.record.rollout(rollout).stopped(result),
    );
    this.#clearing = Promise.all([this.#clearing, clearing]);
  }
}
