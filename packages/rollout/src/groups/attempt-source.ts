import type { IndexedSource } from '@art/journal';
import type { Attempt } from '../pool/attempt.ts';
import type { OpenGroup } from './open-group.ts';

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

type GroupAttempt<Input extends object> = Attempt<OpenGroup<Input>>;

/**
 * The attempts of a run of groups, in the order in which they are to be made: retries and replacements, which hold a
 * group up; then the members of the group that was opened last; then those of the next input. It ends when no group is
 * open and no input left.
 */
export class AttemptSource<Input extends object> {
  readonly #inputs: IndexedSource<Input>;
  readonly #parts: AttemptSourceParts<Input>;
  readonly #first: GroupAttempt<Input>[] = [];
  readonly #further: GroupAttempt<Input>[] = [];
  #inputPhase: 'idle' | 'pulling' | 'ended' = 'idle';
  #failure: { error: unknown } | undefined;
  #wake: () => void = () => undefined;

  constructor(inputs: IndexedSource<Input>, parts: AttemptSourceParts<Input>) {
    this.#inputs = inputs;
    this.#parts = parts;
  }

  add(attempt: GroupAttempt<Input>): void {
    (attempt.place.attempt === 0 ? this.#first : this.#further).push(attempt);
    this.#wake();
  }

  /** Looks again whether there is something to give. */
  wake(): void {
    this.#wake();
  }

  /** @throws what the inputs failed with, after the last attempt */
  async next(): Promise<GroupAttempt<Input> | undefined> {
    for (;;) {
      const attempt = takeOpen(this.#further) ?? takeOpen(this.#first);
      if (attempt !== undefined) return attempt;
      if (this.#inputPhase === 'ended' && !this.#parts.hasOpenGroups()) {
        if (this.#failure !== undefined) throw this.#failure.error;
        return undefined;
      }
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
      if (this.#wasClosed) return;
      this.#inputPhase = next === undefined ? 'ended' : 'idle';
      if (next === undefined) this.#parts.onEnded(this.#inputs.seen);
      else this.#parts.open(next.value, next.index);
    } catch (error) {
      if (this.#wasClosed) return;
      this.#inputPhase = 'ended';
      this.#failure = { error };
    } finally {
      this.#wake();
    }
  }

  // While an input is being waited for, only `close` ends the inputs.
  get #wasClosed(): boolean {
    return this.#inputPhase === 'ended';
  }
}

function takeOpen<Plan>(queue: Attempt<Plan>[]): Attempt<Plan> | undefined {
  for (;;) {
    const attempt = queue.shift();
    if (attempt === undefined || attempt.isOpen) return attempt;
  }
}
