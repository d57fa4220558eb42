import { pause, type Clock } from '@art/ground';
import type { ItemAttempt } from '../items/item-attempt.ts';
import type { OpenItem } from '../items/open-item.ts';

/** An attempt that waits for its turn, and its item. */
export interface WaitingAttempt<Input extends object> {
  item: OpenItem<Input>;
  attempt: ItemAttempt;
}

/** Attempts that wait for their turn: retries and hedges come first, which hold an item up. */
export class TurnQueue<Input extends object> {
  readonly #first: WaitingAttempt<Input>[] = [];
  readonly #further: WaitingAttempt<Input>[] = [];
  readonly #clock: Clock;
  readonly #over: AbortSignal;
  readonly #added: () => void;

  /**
   * @param over aborts when no further attempt is wanted
   * @param added called after one was added
   */
  constructor(clock: Clock, over: AbortSignal, added: () => void) {
    this.#clock = clock;
    this.#over = over;
    this.#added = added;
  }

  add(turn: WaitingAttempt<Input>, pauseMs: number): void {
    const add = (): void => {
      (turn.attempt.number === 0 ? this.#first : this.#further).push(turn);
      this.#added();
    };
    if (pauseMs === 0) return add();
    void pause(pauseMs, { clock: this.#clock, signal: this.#over }).then(add, () => undefined);
  }

  /** The next one that its item still needs. */
  take(): WaitingAttempt<Input> | undefined {
    return takeOpen(this.#further) ?? takeOpen(this.#first);
  }
}

function takeOpen<Input extends object>(turns: WaitingAttempt<Input>[]): WaitingAttempt<Input> | undefined {
  for (;;) {
    const turn = turns.shift();
    if (turn === undefined || turn.attempt.isOpen) return turn;
  }
}
