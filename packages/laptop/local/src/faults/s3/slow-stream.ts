import { Readable } from 'node:stream';
import { pause } from '@art/ground';

const stepMs = 100;

/** The same bytes, not faster than a rate. When the signal aborts, the rest comes at full speed. */
export function slowStream(source: Readable | string, bytesPerSecond: number, signal: AbortSignal): Readable {
  const stepBytes = Math.max(1, Math.floor((bytesPerSecond * stepMs) / 1_000));
  return Readable.from(slowly(source, stepBytes, bytesPerSecond, signal), { objectMode: false });
}

async function* slowly(
  source: Readable | string,
  stepBytes: number,
  bytesPerSecond: number,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const chunks =
    typeof source === 'string'
      ? [Buffer.from(source)]
      : // A request that is destroyed with its iterator could not be answered any more.
        (source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>);
  try {
    for await (const chunk of chunks) {
      for (let at = 0; at < chunk.length; at += stepBytes) {
        const step = chunk.subarray(at, at + stepBytes);
        await pause((step.length / bytesPerSecond) * 1_000, { signal }).catch(() => {});
        yield step;
      }
    }
  } finally {
    // A reader that leaves early must not keep a file open; a stream at its end ignores this.
    if (typeof source !== 'string' && !('httpVersion' in source)) source.destroy();
  }
}
