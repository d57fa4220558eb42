import { aNumber } from '@art/protocol';
import type { ActiveAttempt } from '../items/attempt.ts';
import { openRun, type RunForm, type RunItem, type RunRequest } from './open-run.ts';
import type { RunDeps } from './run-deps.ts';
import type { RunOptions } from './run-options.ts';
import { noProgress, type RunProgress } from './run-progress.ts';
import { Run } from './run.ts';

/** A run: an async iterable of its items, which can be moved while it goes on. */
export interface RunHandle<Item> extends AsyncGenerator<Item, void, undefined> {
  /**
   * Most sessions alive at once. Sessions above a lower limit are finished.
   * @throws ArtError `ART_INVALID_OPTION` when it is set to something else than an integer from 1
   */
  limit: number;
  /** Whether no further item is opened. */
  readonly isPaused: boolean;
  /** How far the run is. */
  readonly progress: RunProgress;
  /** Opens no further item; what has begun is finished, retries included. */
  pause(): void;
  /** Ends a pause. */
  resume(): void;
  /** Attempts under way, the oldest first. @param most @default all */
  activeAttempts(most?: number): ActiveAttempt[];
}

const aLimit = aNumber({ min: 1, integer: true });

/** The handle of a run, which is opened when its first item is asked for. */
export class OpenableRun<
  Input extends object,
  Options extends RunOptions,
  Item extends RunItem,
> implements RunHandle<Item> {
  readonly #form: RunForm<Input, Options, Item>;
  readonly #request: RunRequest<Input, Options>;
  readonly #deps: RunDeps;
  readonly #iterator: AsyncGenerator<Item, void, undefined>;
  readonly #pace: { limit: number; isPaused: boolean };
  #run: Run<Input, Options, Item> | undefined;

  constructor(form: RunForm<Input, Options, Item>, request: RunRequest<Input, Options>, deps: RunDeps) {
    this.#form = form;
    this.#request = request;
    this.#deps = deps;
    this.#pace = { limit: request.options.maxConcurrentSessions ?? 0, isPaused: false };
    this.#iterator = this.#iterate();
  }

  get limit(): number {
    return this.#pace.limit;
  }

  set limit(limit: number) {
    this.#pace.limit = aLimit(limit, 'limit');
    this.#run?.paceChanged();
  }

  get isPaused(): boolean {
    return this.#pace.isPaused;
  }

  get progress(): RunProgress {
    return this.#run?.progress ?? noProgress(this.#pace);
  }

  pause(): void {
    this.#pace.isPaused = true;
    this.#run?.paceChanged();
  }

  resume(): void {
    this.#pace.isPaused = false;
    this.#run?.paceChanged();
  }

  activeAttempts(most = Number.POSITIVE_INFINITY): ActiveAttempt[] {
    return this.#run?.activeAttempts(most) ?? [];
  }

  next(): Promise<IteratorResult<Item, void>> {
    return this.#iterator.next();
  }

  return(): Promise<IteratorResult<Item, void>> {
    return this.#iterator.return(undefined);
  }

  throw(error: unknown): Promise<IteratorResult<Item, void>> {
    return this.#iterator.throw(error);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  async *#iterate(): AsyncGenerator<Item, void, undefined> {
    const { preflight, hold, runs } = this.#deps;
    preflight.assertReady();
    const release = hold();
    let run: Run<Input, Options, Item> | undefined;
    try {
      await preflight.pass(this.#request.options.signal);
      const opened = await openRun(this.#form, this.#request, this.#deps);
      if (this.#pace.limit === 0) this.#pace.limit = opened.options.maxConcurrentSessions;
      run = new Run(this.#form, opened, this.#pace, this.#deps);
      this.#run = run;
      preflight.assertReady();
      runs.add(run);
      run.begin();
      for (let item = await run.next(); item !== undefined; item = await run.next()) yield item;
    } finally {
      await run?.stop(new Error('the run was left early'));
      release();
    }
  }
}
