import type { OpenSession, RunSession } from '@art/journal';
import type { ArtError } from '@art/protocol';
import type { SessionStops } from '../lifecycle/session-stops.ts';
import type { RolloutEvent } from '../lifecycle/rollout-event.ts';
import type { AcknowledgeMode } from './run-options.ts';
import type { Run } from './run.ts';

export interface RecordedRunParts {
  session: RunSession;
  mode: AcknowledgeMode;
  stops: SessionStops;
  /** Journals that wait for acknowledgements after their runs have ended; closed with the client. */
  lingering: Set<() => Promise<void>>;
  /** Leaves the sessions of the run to a later process. */
  detachSignal: AbortSignal | undefined;
}

/**
 * A run with a journal: items are acknowledged, what earlier processes left behind is cleared away, and the journal is let go
 * at the end. When the journal breaks, nothing more is handed out, for nobody could remember that it was.
 */
export class RecordedRun<Item extends { index: number; acknowledge(): Promise<void> }> implements Run<Item> {
  readonly #inner: Run<Item>;
  readonly #parts: RecordedRunParts;
  #previous: Item | undefined;
  #clearing: Promise<void> = Promise.resolve();
  #stopped: Promise<void> | undefined;

  constructor(inner: Run<Item>, parts: RecordedRunParts) {
    this.#inner = inner;
    this.#parts = parts;
  }

  get isComplete(): boolean {
    return this.#inner.isComplete;
  }

  readonly onSharedEvent = (event: RolloutEvent): void => this.#inner.onSharedEvent(event);

  begin(): void {
    this.#clearing = this.#clear(this.#parts.session.takeSettledSessions());
    this.#inner.begin();
  }

  async next(): Promise<Item | undefined> {
    await this.#acknowledgePrevious();
    let item = await this.#inner.next();
    // A broken journal makes the run end by itself, with the failure; until then its items stay in the store.
    while (item !== undefined && this.#parts.session.record.broken.aborted) item = await this.#inner.next();
    if (item === undefined) {
      await this.#finish();
      return undefined;
    }
    this.#parts.session.acknowledgements.handOut(item.index);
    const left = this.#parts.session.takeSessionsOf(item.index);
    if (left.length > 0)
      this.#clearing = Promise.all([this.#clearing, this.#clear(left)]).then(() => undefined);
    this.#previous = item;
    return item;
  }

  stop(reason: unknown): Promise<void> {
    this.#stopped ??= this.#stopOnce(reason);
    return this.#stopped;
  }

  async #stopOnce(reason: unknown): Promise<void> {
    await this.#inner.stop(reason);
    const { broken } = this.#parts.session.record;
    const isTakenOver = broken.aborted && (broken.reason as ArtError).code === 'ART_JOURNAL_LOST';
    const isLeft = isTakenOver || this.#parts.detachSignal?.aborted === true;
    if (!isLeft) await this.#clear(this.#parts.session.takeForsakenSessions());
    await this.#clearing;
    if (
      this.#inner.isComplete &&
      this.#parts.mode === 'explicit' &&
      !broken.aborted &&
      !this.#parts.session.acknowledgements.isEmpty
    )
      this.#linger();
    else await this.#parts.session.record.close();
  }

  /** Consumers that acknowledge for themselves may do so after the last item, a training step later. */
  #linger(): void {
    const { lingering, session } = this.#parts;
    const { record, acknowledgements } = session;
    const close = (): Promise<void> => record.close();
    lingering.add(close);
    void acknowledgements
      .emptied()
      .then(() => record.finished())
      .catch(() => undefined)
      .then(close)
      .then(() => lingering.delete(close));
  }

  async #acknowledgePrevious(): Promise<void> {
    const previous = this.#previous;
    this.#previous = undefined;
    if (previous === undefined || this.#parts.mode !== 'next') return;
    // A journal that cannot be written ends the run in order; it says so itself.
    await previous.acknowledge().catch(() => undefined);
  }

  async #finish(): Promise<void> {
    const { broken } = this.#parts.session.record;
    broken.throwIfAborted();
    if (this.#inner.isComplete && this.#parts.session.acknowledgements.isEmpty)
      await this.#parts.session.record.finished();
  }

  #clear(sessions: readonly OpenSession[]): Promise<void> {
    const { session, stops } = this.#parts;
    return stops.stopEach(sessions, ({ rollout }, result) => session.record.rollout(rollout).stopped(result));
  }
}
