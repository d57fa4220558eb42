import type { OutputStream } from '../cli-context.ts';
import { printableText } from './printable-text.ts';

/** A terminal is drawn anew so often, a log gets a line so often. */
const redrawMs = 100;
const logMs = 10_000;

/** How far long work is: one line that changes on a terminal, a line now and then in a log. */
export class ProgressLine {
  readonly #stream: OutputStream;
  readonly #now: () => number;
  #lastAtMs: number | undefined;
  #latest = '';
  #isDrawn = false;
  readonly #toldKinds = new Set<string>();

  /** @param now monotonic milliseconds @default performance.now */
  constructor(stream: OutputStream, now: () => number = () => performance.now()) {
    this.#stream = stream;
    this.#now = now;
  }

  show(text: string): void {
    this.#latest = text;
    const now = this.#now();
    // The first line of a log comes after a while: short work needs none.
    this.#lastAtMs ??= this.#stream.isTTY === true ? -Infinity : now;
    if (now - this.#lastAtMs < (this.#stream.isTTY === true ? redrawMs : logMs)) return;
    this.#lastAtMs = now;
    if (this.#stream.isTTY === true) this.#draw();
    else this.#stream.write(`${text}\n`);
  }

  /** Writes a line that stays, above the one that changes. */
  note(text: string): void {
    const wasDrawn = this.#isDrawn;
    this.clear();
    this.#stream.write(`${printableText(text)}\n`);
    if (wasDrawn) this.#draw();
  }

  /**
   * Notes the first error of each kind: what a thousand lines of output say is read too late.
   * @param kind what failed: an outcome
   * @param at where: a rollout, a sample
   */
  noteFirst(
    kind: string,
    { code, message }: { code: string; message: string },
    at: string,
    sessionId: string | null,
  ): void {
    const key = `${kind} ${code}`;
    if (this.#toldKinds.has(key)) return;
    this.#toldKinds.add(key);
    const session = sessionId === null || sessionId === '' ? '' : `, session ${sessionId}`;
    this.note(`First ${kind} (${at}${session}): ${code}: ${message}`);
  }

  /** Notes a line that is not whole, or is no JSON. */
  noteTorn(file: string, bytes: number): void {
    this.note(
      `${file}: left out ${bytes} bytes, a line that is not whole: a process writes it, was killed, or the file was changed.`,
    );
  }

  /** Takes the line away. */
  clear(): void {
    if (this.#isDrawn) this.#stream.write('\r\u001B[K');
    this.#isDrawn = false;
  }

  #draw(): void {
    this.#stream.write(`\r\u001B[K${this.#latest}`);
    this.#isDrawn = true;
  }
}
