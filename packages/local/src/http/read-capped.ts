import type { Readable } from 'node:stream';

/** The first `limitBytes` of a stream as text; the rest is read and dropped, a broken stream gives what came. */
export async function readCapped(stream: Readable, limitBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      if (size < limitBytes) chunks.push(chunk.subarray(0, limitBytes - size));
      size += chunk.length;
    }
  } catch {
    // What came so far is the answer.
  }
  return Buffer.concat(chunks).toString('utf8');
}
