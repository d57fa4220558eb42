import { pause } from '@art/async';
import type { IndexedSource } from '@art/journal';
import type { Attempt } from '../pool/attempt.ts';
import type { BatchProgress } from '../pool/batch-progress.ts';
import type { Scheduler, SchedulerParts } from '../pool/scheduler.ts';
import { resolveGroupRules, type GroupOptions } from './group-options.ts';
import type { Group, GroupKind } from './group.ts';
import { OpenGroup, type OpenGroupParts } from './open-group.ts';

/**
 * Makes the attempts that the members of open groups need, and hands groups out as they settle. First come retries and
 * replacements, which hold a group up; then the members of the group that was opened last; then those of the next input.
 */
export class GroupScheduler<Input extends object> implements Scheduler {
  readonly hasRoom = true;
  readonly #inputs: IndexedSource<Input>;
  readonly #options: GroupOptions<Input>;
  readonly #parts: SchedulerParts<Group<Input>>;
  readonly #groupParts: OpenGroupParts<Input>;
  readonly #mostSettled: number;
  readonly #open = new Set<OpenGroup<Input>>();
  readonly #settled: Record<GroupKind, number> = { complete: 0, degraded: 0, failed: 0 };
  readonly #first: Attempt[] = [];
  readonly #further: Attempt[] = [];
  /** Ends the pauses before retries. */
  readonly #over = new AbortController();
  #inputPhase: 'idle' | 'pulling' | 'ended' = 'idle';
  #inputFailure: { error: unknown } | undefined;
  #rollouts: BatchProgress | undefined;
  #made = 0;
  #wake: () => void = () => undefined;

  constructor(
    inputs: IndexedSource<Input>,
    options: GroupOptions<Input>,
    parts: SchedulerParts<Group<Input>>,
  ) {
    const { maxBufferedGroups, maxConcurrentSessions } = options;
    this.#inputs = inputs;
    this.#options = options;
    this.#parts = parts;
    const rules = resolveGroupRules(options);
    this.#mostSettled = maxBufferedGroups ?? Math.max(1, Math.floor(maxConcurrentSessions / rules.size));
    this.#groupParts = {
      options,
      rules,
      run: parts,
      launch: (attempt, pauseMs) => this.#launch(attempt, pauseMs),
      onSettled: (group) => this.#handOut(group),
    };
    parts.outbox.onTaken = () => this.#wake();
  }

  /** @throws what the inputs failed with, after the last attempt */
  async next(): Promise<Attempt | undefined> {
    for (;;) {
      const attempt = takeOpen(this.#further) ?? takeOpen(this.#first);
      if (attempt !== undefined) {
        attempt.index = this.#made++;
        return attempt;
      }
      if (this.#inputPhase === 'ended' && this.#open.size === 0) {
        if (this.#inputFailure !== undefined) throw this.#inputFailure.error;
        return undefined;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        // Beside the wait and not in it: a data set that is slow must not hold up a retry.
        if (this.#inputPhase === 'idle' && this.#parts.outbox.size < this.#mostSettled) void this.#pull();
      });
    }
  }

  onProgress(rollouts: BatchProgress): void {
    this.#rollouts = rollouts;
    this.#reportProgress();
  }

  close(): void {
    const wasEnded = this.#inputPhase === 'ended';
    this.#inputPhase = 'ended';
    this.#wake();
    if (!wasEnded) this.#inputs.close();
  }

  /** A deadline of the whole run ends it with members that were never started. */
  ended(handsOut: boolean): void {
    for (const group of this.#open) {
      if (handsOut) group.close();
      else group.abandon();
    }
    this.#over.abort();
  }

  async #pull(): Promise<void> {
    this.#inputPhase = 'pulling';
    try {
      const next = await this.#inputs.next();
      if (this.#wasClosed) return;
      this.#inputPhase = next === undefined ? 'ended' : 'idle';
      if (next === undefined) this.#parts.session?.record.sourceEnded(this.#inputs.seen);
      else this.#open.add(new OpenGroup(next.value, next.index, this.#groupParts));
    } catch (error) {
      if (this.#wasClosed) return;
      this.#inputPhase = 'ended';
      this.#inputFailure = { error };
    } finally {
      this.#wake();
    }
  }

  // While an input is being waited for, only `close` ends the inputs.
  get #wasClosed(): boolean {
    return this.#inputPhase === 'ended';
  }

  #launch(attempt: Attempt, pauseMs: number): void {
    const add = (): void => {
      (attempt.place.attempt === 0 ? this.#first : this.#further).push(attempt);
      this.#wake();
    };
    if (pauseMs === 0) add();
    else
      void pause(pauseMs, { clock: this.#parts.clock, signal: this.#over.signal }).then(add, () => undefined);
  }

  #handOut(open: OpenGroup<Input>): void {
    const group = open.toGroup();
    this.#open.delete(open);
    this.#settled[group.kind] += 1;
    this.#parts.outbox.push(group);
    this.#reportProgress();
    this.#wake();
  }

  #reportProgress(): void {
    if (this.#rollouts === undefined) return;
    const settled = { ...this.#settled };
    const active = this.#open.size;
    const opened = active + settled.complete + settled.degraded + settled.failed;
    this.#options.onProgress?.({ opened, active, settled, rollouts: this.#rollouts });
  }
}

function takeOpen(queue: Attempt[]): Attempt | undefined {
  for (;;) {
    const attempt = queue.shift();
    if (attempt === undefined || attempt.isOpen) return attempt;
  }
}
