import { callWithin } from '@art/ground';
import type { CliContext } from '../cli-context.ts';

/**
 * Everything that stdin has.
 * @param what is read, as a person at a terminal is told
 * @param checkBytes called with how many there are so far; throws where that is too many
 * @throws the signal's reason when it aborts
 */
export async function readStdin(
  { stdin, stderr }: Pick<CliContext, 'stdin' | 'stderr'>,
  what: string,
  checkBytes: (bytes: number) => void,
  signal?: AbortSignal,
): Promise<string> {
  if (stdin.isTTY === true) stderr.write(`Reading ${what} from stdin, to the end by Ctrl-D.\n`);
  const parts: Buffer[] = [];
  let bytes = 0;
  const reading = stdin[Symbol.asyncIterator]();
  try {
    for (;;) {
      const part = await callWithin(() => reading.next(), { signal });
      if (part.done === true) return Buffer.concat(parts).toString('utf8');
      parts.push(Buffer.from(part.value));
      bytes += parts.at(-1)!.length;
      checkBytes(bytes);
    }
  } finally {
    stdin.destroy?.();
  }
}
