import {
  appendFileSync,
  closeSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
} from 'node:fs';
import { jsonObjectIn } from '@art/ground';

/** A file of JSON, a value a line, in a folder that is there. Only its owner can read it. */
export class DurableLines<Line> {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** On the disk when it returns. */
  append(line: Line): void {
    const file = openSync(this.path, 'a+', 0o600);
    try {
      // A line that was torn by a crash is ended first.
      appendFileSync(file, `${isTorn(file) ? '\n' : ''}${JSON.stringify(line)}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  }

  /** These lines in place of all others. A crash leaves the ones or the others. */
  replace(lines: readonly Line[]): void {
    const next = `${this.path}.next`;
    const file = openSync(next, 'w', 0o600);
    try {
      appendFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(next, this.path);
  }

  /** Every whole line; none where there is no file. */
  all(): Line[] {
    return this.#read()
      .split('\n')
      .flatMap((line) => (jsonObjectIn(line) as Line | undefined) ?? []);
  }

  #read(): string {
    try {
      return readFileSync(this.path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
      throw error;
    }
  }
}

function isTorn(file: number): boolean {
  const last = Buffer.alloc(1);
  const { size } = fstatSync(file);
  return size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last.toString() !== '\n';
}
