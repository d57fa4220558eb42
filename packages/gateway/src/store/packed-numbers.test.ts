import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commonIds, idWidth, packIds, unpackIds, type IdWidth, type PackedIds } from './packed-numbers.ts';

// Neither the buffer nor the ids within it begin at a multiple of four, as behind a header of any length.
const offset = 5;

function pack(ids: Int32Array, start: number, width: IdWidth): PackedIds {
  const count = ids.length - start;
  const bytes = new Uint8Array(new ArrayBuffer(offset + count * width + 8), 3, offset + count * width);
  expect(packIds(ids, start, width, bytes, offset)).toBe(bytes.length);
  return { bytes, offset, count, width };
}

function unpack(packed: PackedIds): number[] {
  const ids = new Int32Array(packed.count);
  unpackIds(packed, ids);
  return [...ids];
}

const ids = (most: number): fc.Arbitrary<Int32Array> =>
  fc.array(fc.integer({ min: 0, max: most }), { maxLength: 40 }).map((values) => Int32Array.from(values));

describe.each([
  [2, 0xffff],
  [3, 0xff_ffff],
  [4, 0x7fff_ffff],
] as const)('ids in %i bytes', (width, most) => {
  it('come back as they were', () => {
    fc.assert(
      fc.property(ids(most), fc.nat(3), (values, skipped) => {
        const start = Math.min(skipped, values.length);
        expect(idWidth(values, start)).toBeLessThanOrEqual(width);
        expect(unpack(pack(values, start, width))).toEqual([...values.subarray(start)]);
      }),
    );
  });

  it('are compared up to the first that differs', () => {
    fc.assert(
      fc.property(
        ids(most),
        fc.nat(40),
        fc.integer({ min: -1, max: 0x7fff_ffff }),
        (values, place, other) => {
          const packed = pack(values, 0, width);
          const behind = Int32Array.from([9, 9, ...values, 1]);
          const at = Math.min(place, values.length);
          const differs = at < values.length && behind[2 + at] !== other;
          if (at < values.length) behind[2 + at] = other;
          expect(commonIds(packed, 0, values.length, behind, 2)).toBe(differs ? at : values.length);
          expect(commonIds(packed, 0, at, behind, 2)).toBe(at);
          const from = Math.min(3, at);
          expect(commonIds(packed, from, at - from, behind, 2 + from)).toBe(at - from);
        },
      ),
    );
  });
});

it('an id that differs from another only above the packed bits is another one', () => {
  const values = Int32Array.from({ length: 8 }, (_, index) => 70_000 + index);
  const packed = pack(values, 0, 3);
  for (let index = 0; index < 8; index += 1) {
    const other = values.slice();
    other[index]! |= 1 << 24;
    expect(commonIds(packed, 0, 8, other, 0)).toBe(index);
    other[index] = values[index]! - 2 ** 31;
    expect(commonIds(packed, 0, 8, other, 0)).toBe(index);
  }
});
