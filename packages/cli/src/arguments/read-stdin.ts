import type { CliContext } from '../cli-context.ts';

/**
 * Everything that stdin has.
 * @param checkBytes told how many there are so far; throws where that is too many
 * @throws the signal's reason when it aborts
 */
export async function readStdin(
  stdin: CliContext['stdin'],
  checkBytes: (bytes: number) => void,
  signal?: AbortSignal,
): Promise<string> {
  signal?.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal?.reason as Error);
  signal?.addEventListener('abort', onAbort, { once: true });
  const parts: Buffer[] = [];
  let bytes = 0;
  const reading = stdin[Symbol.asyncIterator]();
  try {
    for (;;) {
      const part = await Promise.race([reading.next(), aborted]);
      if (part.done === true) return Buffer.concat(parts).toString('utf8');
      parts.push(Buffer.from(part.value));
      bytes += parts.at(-1)!.length;
      checkBytes(bytes);
    }
  } finally {
    signal?.removeEventListener('abort', onAbort);
    stdin.destroy?.();
  }
}
