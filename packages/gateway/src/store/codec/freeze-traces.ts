import { zstdCompressSync } from 'node:zlib';
import { digestBytes, digestOf, FrozenTexts } from './frozen-texts.ts';
import type { PackedIds } from './packed-ids.ts';
import { textBytes, type StoredTrace } from './stored-trace.ts';

/** A trace that says the same as before, and what it takes now. */
export interface FrozenTrace {
  trace: StoredTrace;
  bytes: number;
}

/**
 * Moves traces into one buffer in which their texts and headers are compressed, while ids and logprobs, which are needed
 * for every comparison, stay as they are. Texts can still be compared, by their digests, without being unpacked.
 */
export function freezeTraces(traces: readonly StoredTrace[]): FrozenTrace[] {
  const plain = Buffer.concat(
    traces.flatMap(({ texts, headerStart, headerEnd, textOffsets }) => [
      texts.read().subarray(headerStart, headerEnd),
      texts.read().subarray(textOffsets[0], textOffsets.at(-1)),
    ]),
  );
  const compressed = zstdCompressSync(plain);
  const textCount = traces.reduce((sum, { textOffsets }) => sum + textOffsets.length - 1, 0);
  const numberBytes = traces.reduce((sum, trace) => sum + numbersOf(trace).byteLength, 0);
  const digestsAt = numberBytes + compressed.byteLength;
  const block = Buffer.allocUnsafeSlow(digestsAt + textCount * digestBytes);
  compressed.copy(block, numberBytes);
  const starts = new Int32Array(textCount);
  const texts = new FrozenTexts({
    compressed: block.subarray(numberBytes, digestsAt),
    starts,
    digests: block.subarray(digestsAt),
  });

  let numbersAt = 0;
  let plainAt = 0;
  let textAt = 0;
  return traces.map((trace) => {
    const numbers = numbersOf(trace);
    numbers.copy(block, numbersAt);
    const moved = numbersAt - trace.promptSuffix.offset;
    const headerStart = plainAt;
    const headerEnd = headerStart + trace.headerEnd - trace.headerStart;
    const textOffsets = trace.textOffsets.map((offset) => offset - trace.textOffsets[0]! + headerEnd);
    const ownTexts = textOffsets.length - 1;
    for (let index = 0; index < ownTexts; index += 1) {
      starts[textAt] = textOffsets[index]!;
      const text = plain.subarray(textOffsets[index], textOffsets[index + 1]);
      digestOf(text).copy(block, digestsAt + textAt * digestBytes);
      textAt += 1;
    }
    const plainBytes = headerEnd - headerStart + textBytes(trace);
    numbersAt += numbers.byteLength;
    plainAt += plainBytes;
    const { logprobs } = trace;
    return {
      trace: {
        ...trace,
        bytes: block,
        texts,
        promptSuffix: movedTo(block, trace.promptSuffix, moved),
        completion: movedTo(block, trace.completion, moved),
        logprobs: logprobs && { ...logprobs, offset: logprobs.offset + moved },
        textOffsets,
        headerStart,
        headerEnd,
      },
      bytes:
        numbers.byteLength +
        ownTexts * digestBytes +
        Math.ceil((plainBytes / plain.byteLength) * compressed.byteLength),
    };
  });
}

/** Ids and logprobs, which lie one behind the other. */
function numbersOf({ bytes, promptSuffix, completion, logprobs }: StoredTrace): Buffer {
  const end =
    logprobs === undefined
      ? completion.offset + completion.count * completion.width
      : logprobs.offset + logprobs.count * logprobs.width;
  return bytes.subarray(promptSuffix.offset, end);
}

function movedTo(bytes: Buffer, ids: PackedIds, by: number): PackedIds {
  return { ...ids, bytes, offset: ids.offset + by };
}
