import type { Indexed, IndexedSource } from '@art/journal';
import type { Payload } from '../batch/batch-options.ts';
import type { Attempt } from './attempt.ts';
import type { OpenGroup } from './open-group.ts';

/** An attempt and whom it is for. */
export interface QueuedAttempt<Input extends object> {
  group: OpenGroup<Input>;
  attempt: Attempt;
}

/** What the source needs of the run that it feeds. */
export interface AttemptSourceParts<Input> {
  /** Whether another group may be opened now. */
  hasRoom: () => boolean;
  hasOpenGroups: () => boolean;
  /** Opens a group; it lines its attempts up. */
  open: (input: Input, index: number) => void;
  /** Told how many inputs there were. */
  onEnded: (count: number) => void;
}

/**
 * The payloads of a run of groups, in the order in which they are to be started: retries and replacements, which hold a
 * group up; then the members of the group that was opened last; then those of the next input. It ends when no group is
 * open and no input left.
 */
export class AttemptSource<Input extends object> implements IndexedSource<Payload> {
  readonly #inputs: IndexedSource<Input>;
  readonly #parts: AttemptSourceParts<Input>;
  readonly #first: QueuedAttempt<Input>[] = [];
  readonly #further: QueuedAttempt<Input>[] = [];
  readonly #given = new Map<number, QueuedAttempt<Input>>();
  #givenCount = 0;
  #inputPhase: 'idle' | 'pulling' | 'ended' = 'idle';
  #failure: { error: unknown } | undefined;
  #wake: () => void = () => undefined;

  constructor(inputs: IndexedSource<Input>, parts: AttemptSourceParts<Input>) {
    this.#inputs = inputs;
    this.#parts = parts;
  }

  /** What the inputs failed with, where they did; thrown to the consumer after the last group. */
  get failure(): { error: unknown } | undefined {
    return this.#failure;
  }

  add(group: OpenGroup<Input>, attempt: Attempt): void {
    (attempt.number === 0 ? this.#first : this.#further).push({ group, attempt });
    this.#wake();
  }

  /** Looks again whether there is something to give. */
  wake(): void {
    this.#wake();
  }

  /** The attempt that was given as the batch's payload of this index. */
  given(index: number): QueuedAttempt<Input> {
    const queued = this.#given.get(index);
    if (queued === undefined) throw new Error(`unreachable: no attempt was given as payload ${index}`);
    return queued;
  }

  /** The same, for the last time. */
  takeGiven(index: number): QueuedAttempt<Input> {
    const queued = this.given(index);
    this.#given.delete(index);
    return queued;
  }

  get seen(): number {
    return this.#givenCount;
  }

  async next(): Promise<Indexed<Payload> | undefined> {
    for (;;) {
      const queued = this.#takeNeeded(this.#further) ?? this.#takeNeeded(this.#first);
      if (queued !== undefined) {
        const index = this.#givenCount++;
        this.#given.set(index, queued);
        return { index, value: queued.group.input };
      }
      if (this.#inputPhase === 'ended' && !this.#parts.hasOpenGroups()) return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        // Beside the wait and not in it: a data set that is slow must not hold up a retry.
        if (this.#inputPhase === 'idle' && this.#parts.hasRoom()) void this.#pull();
      });
    }
  }

  close(): void {
    const wasEnded = this.#inputPhase === 'ended';
    this.#inputPhase = 'ended';
    this.#wake();
    if (!wasEnded) this.#inputs.close();
  }

  async #pull(): Promise<void> {
    this.#inputPhase = 'pulling';
    try {
      const next = await this.#inputs.next();
      if (this.#wasReturned) return;
      this.#inputPhase = next === undefined ? 'ended' : 'idle';
      if (next === undefined) this.#parts.onEnded(this.#inputs.seen);
      else this.#parts.open(next.value, next.index);
    } catch (error) {
      if (this.#wasReturned) return;
      this.#inputPhase = 'ended';
      this.#failure = { error };
    } finally {
      this.#wake();
    }
  }

  // While an input is being waited for, only `close` ends the inputs.
  get #wasReturned(): boolean {
    return this.#inputPhase === 'ended';
  }

  #takeNeeded(queue: QueuedAttempt<Input>[]): QueuedAttempt<Input> | undefined {
    for (;;) {
      const queued = queue.shift();
      if (queued === undefined || queued.attempt.isOpen) return queued;
    }
  }
}
