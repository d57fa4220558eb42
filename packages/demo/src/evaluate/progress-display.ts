import type { RunProgress } from '@art/client';
import { progressLine } from './progress-line.ts';

/** The part of a terminal or pipe that the display uses. */
export interface ProgressOutput {
  isTTY?: boolean | undefined;
  columns?: number | undefined;
  write(text: string): unknown;
}

// A terminal's line is rewritten as fast as the eye follows; a log gets a new line now and then.
const terminalIntervalMs = 100;
const logIntervalMs = 2_000;

/** Shows progress: one line that is rewritten on a terminal, a line every two seconds elsewhere. */
export class ProgressDisplay {
  readonly #total: number;
  readonly #output: ProgressOutput;
  readonly #timer: NodeJS.Timeout;
  #latest: RunProgress | undefined;
  #shown = '';

  constructor(total: number, output: ProgressOutput = process.stderr) {
    this.#total = total;
    this.#output = output;
    const intervalMs = output.isTTY === true ? terminalIntervalMs : logIntervalMs;
    this.#timer = setInterval(() => this.#render(), intervalMs);
  }

  update(progress: RunProgress): void {
    this.#latest = progress;
  }

  /** Shows the last state and ends the display. Idempotent. */
  close(): void {
    clearInterval(this.#timer);
    this.#render();
    if (this.#output.isTTY === true && this.#shown !== '') this.#output.write('\n');
    this.#latest = undefined;
    this.#shown = '';
  }

  /** Terminals that do not know their width say 0. */
  get #columns(): number {
    const { columns = 0 } = this.#output;
    return columns > 0 ? columns : 80;
  }

  #render(): void {
    if (this.#latest === undefined) return;
    const line = progressLine(this.#latest, this.#total);
    if (line === this.#shown) return;
    this.#shown = line;
    // A line that wraps could not be rewritten: `\r` goes back to the start of its last row only.
    if (this.#output.isTTY === true) {
      this.#output.write(`\r${line.slice(0, this.#columns - 1)}\x1b[K`);
    } else this.#output.write(`${line}\n`);
  }
}
