import assert from 'node:assert/strict';
import { ArtError } from '@art/protocol';
import fc from 'fast-check';
import { splitCommandLine } from '../command/split-command-line.ts';
import { checkFaultPlan } from '../faults/check-fault-plan.ts';
import { jsonBody } from '../http/json-body.ts';
import { AwsChunkedDecoder } from '../s3/body/aws-chunked-decoder.ts';
import { parseS3Target } from '../s3/s3-address.ts';
import { S3Error } from '../s3/s3-error.ts';
import { readXml } from '../s3/xml/xml-reader.ts';
import { escapeXml } from '../s3/xml/xml-writer.ts';
import { ServiceFault } from '../service/service-fault.ts';
import type { FuzzTarget } from './fuzz-target.fixture.ts';

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
  return Buffer.concat(await Array.fromAsync(new AwsChunkedDecoder().decode(asAsync(parts))));
}

async function* asAsync(parts: Buffer[]): AsyncGenerator<Buffer> {
  yield* parts;
}

const planPiece: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<unknown>(
      'invoke',
      's3_put',
      'kill',
      'error',
      'reset',
      'before',
      503,
      1,
      0,
      -1,
      0.5,
      null,
      Number.NaN,
      '__proto__',
      true,
    ),
    fc.anything({ maxDepth: 1 }),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('record'),
  ),
  record: fc.dictionary(
    fc.constantFrom(
      'seed',
      'rules',
      'when',
      'fault',
      'operation',
      'kind',
      'status',
      'ms',
      'afterMs',
      'probability',
      'nth',
      'betweenMs',
      'moment',
      '__proto__',
    ),
    tie('value'),
  ),
})).value;

export const smallTexts: FuzzTarget = {
  name: 'fault plans, S3 paths, JSON bodies, command lines',
  share: 0.15,
  run: async (options) => {
    const rule = fc.record(
      { when: fc.oneof(planPiece, fc.record({ operation: planPiece })), fault: planPiece, every: planPiece },
      { requiredKeys: [] },
    );
    const plan = fc.oneof(
      planPiece,
      fc.record({ seed: fc.integer(), rules: fc.array(fc.oneof(planPiece, rule)) }),
    );
    const isInvalid = (error: unknown): boolean =>
      ArtError.isInstance(error) && error.code === 'ART_INVALID_OPTION';
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      fc.json().map((text) => new TextEncoder().encode(text)),
    );
    fc.assert(
      fc.property(plan, bytes, fc.string({ unit: 'binary' }), (asked, raw, text) => {
        const checked = typed(() => checkFaultPlan(asked), isInvalid);
        if (checked !== undefined) assert.deepEqual(checkFaultPlan(checked), checked);
        const read = typed(
          () => jsonBody(Buffer.from(raw)),
          (error) => error instanceof ServiceFault && error.httpStatus === 400,
        );
        if (read !== undefined && raw.length > 0) assert.equal(typeof read, 'object');
        const target = typed(() => parseS3Target(`/bucket/${text}`), isS3Error);
        if (target?.address.kind === 'object') assert(Buffer.byteLength(target.address.key) <= 1_024);
        const words = splitCommandLine(text);
        if (words !== undefined) assert(words.join('').length <= text.length);
      }),
      options,
    );
  },
};
