import { ArtError } from '@art/ground';

export interface TextInput extends AsyncIterable<string | Buffer> {
  isTTY?: boolean | undefined;
  /** Lets go of it; a terminal that is waited for keeps the process alive. */
  destroy?(): unknown;
}

/** Reads typed text, line by line. */
export class LineReader implements Disposable {
  readonly #input: TextInput;
  readonly #parts: AsyncIterator<string | Buffer>;
  #rest = '';

  constructor(input: TextInput) {
    this.#input = input;
    this.#parts = input[Symbol.asyncIterator]();
  }

  /** @throws ArtError `ART_INVALID_OPTION` where the input has ended */
  async next(): Promise<string> {
    for (;;) {
      const end = this.#rest.indexOf('\n');
      if (end !== -1) {
        const line = this.#rest.slice(0, end);
        this.#rest = this.#rest.slice(end + 1);
        return line;
      }
      const part = await this.#parts.next();
      if (part.done === true)
        throw new ArtError({
          code: 'ART_INVALID_OPTION',
          message: 'Expected an answer, got the end of the input.',
        });
      this.#rest += String(part.value);
    }
  }

  [Symbol.dispose](): void {
    this.#input.destroy?.();
  }
}
