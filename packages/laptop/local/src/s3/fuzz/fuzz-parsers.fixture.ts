import assert from 'node:assert/strict';
import type { FuzzTarget } from '@art/tooling/fuzz';
import fc from 'fast-check';
import { decodeAwsChunked } from '../body/decode-aws-chunked.ts';
import { parseS3Target } from '../wire/s3-address.ts';
import { S3Error } from '../wire/s3-error.ts';
import { readXml } from '../wire/xml-reader.ts';
import { escapeXml } from '../wire/xml-writer.ts';

/** Fails for any error but the one that a caller can act on. */
function typed<Value>(act: () => Value, isExpected: (error: unknown) => boolean): Value | undefined {
  try {
    return act();
  } catch (error) {
    if (!isExpected(error)) throw error;
    return undefined;
  }
}

const isS3Error = (error: unknown): boolean => error instanceof S3Error && error.statusCode < 500;

const xmlPiece = fc.oneof(
  fc.constantFrom(
    '<Delete>',
    '</Delete>',
    '<Object>',
    '</Object>',
    '<Key>',
    '</Key>',
    '<![CDATA[',
    ']]>',
    '&amp;',
    '&x;',
    '&#0;',
    '<?xml',
    '?>',
    '<!--',
    '<!DOCTYPE',
    '<a:b xmlns:a="u">',
  ),
  fc.string({ maxLength: 8 }),
  fc.string({ unit: 'binary', maxLength: 4 }),
);

export const xmlDocuments: FuzzTarget = {
  name: 'XML documents',
  share: 0.1,
  run: async (options) => {
    fc.assert(
      fc.property(fc.array(xmlPiece, { maxLength: 12 }), fc.string(), (pieces, text) => {
        typed(() => readXml(pieces.join(''), 'Delete'), isS3Error);
        // XML itself reads every line end as a line feed, and has no other control characters.
        const plain = text.replaceAll(/[\u0000-\u001f\u007f-\u009f\ufffe\uffff]/g, '');
        assert.equal(readXml(`<Delete>${escapeXml(plain)}</Delete>`, 'Delete').text, plain);
      }),
      options,
    );
  },
};

export const chunkedBodies: FuzzTarget = {
  name: 'aws-chunked bodies',
  share: 0.1,
  run: async (options) => {
    const bytes = fc.uint8Array({ maxLength: 60 }).map((array) => Buffer.from(array));
    await fc.assert(
      fc.asyncProperty(
        fc.array(bytes),
        bytes,
        fc.integer({ min: 1, max: 20 }),
        async (chunks, noise, step) => {
          const full = chunks.filter((chunk) => chunk.length > 0);
          const framed = Buffer.concat([
            ...full.flatMap((chunk) => [
              Buffer.from(`${chunk.length.toString(16)};chunk-signature=x\r\n`),
              chunk,
              Buffer.from('\r\n'),
            ]),
            Buffer.from('0\r\nx-amz-checksum-crc32:AAAAAA==\r\n\r\n'),
          ]);
          assert.deepEqual(await decode(framed, step), Buffer.concat(full));
          await decode(noise, step).catch((error: unknown) => assert(isS3Error(error), String(error)));
          // Cut anywhere, it is never taken for whole.
          await assert.rejects(
            decode(framed.subarray(0, framed.length - 1 - (noise.length % framed.length)), step),
            isS3Error,
          );
        },
      ),
      options,
    );
  },
};

async function decode(bytes: Buffer, step: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += step) parts.push(bytes.subarray(at, at + step));
  return Buffer.concat(await Array.fromAsync(decodeAwsChunked(asAsync(parts), new Map())));
}

async function* asAsync(parts: Buffer[]): AsyncGenerator<Buffer> {
  yield* parts;
}

export const objectPaths: FuzzTarget = {
  name: 'S3 paths',
  share: 0.15,
  run: async (options) => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const target = typed(() => parseS3Target(`/bucket/${text}`), isS3Error);
        if (target !== undefined) assert(Buffer.byteLength(target.at.key) <= 1_024);
      }),
      options,
    );
  },
};
