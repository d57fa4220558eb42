import { writeSync } from 'node:fs';

/** Ends a process that could not begin its work, with one line that says why: a stack would hide it. */
export function endBeforeStart({ code, message }: { code: string; message: string }): never {
  writeSync(2, `${code}: ${message}\n`);
  process.exit(1);
}
