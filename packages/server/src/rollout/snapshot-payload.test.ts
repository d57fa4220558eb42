import { formatResultDocument, maxJsonDepth, parseJson } from '@art/protocol';
import { describe, expect, it } from 'vitest';
import { snapshotPayload } from './snapshot-payload.ts';

function nested(levels: number): Record<string, unknown> {
  let value: Record<string, unknown> = {};
  for (let level = 1; level < levels; level += 1) value = { a: value };
  return value;
}

describe('snapshotPayload', () => {
  it('shares nothing with the payload', () => {
    const payload = { list: [{ a: 1 }], text: 'x', none: null, yes: true };
    const copy = snapshotPayload(payload);
    expect(copy).toEqual(payload);
    payload.list[0]!.a = 2;
    expect(copy).toEqual({ list: [{ a: 1 }], text: 'x', none: null, yes: true });
  });

  it('keeps big integers and writes numbers that JSON has not as text', () => {
    expect(snapshotPayload({ a: 2n ** 64n, b: [Number.NaN, -Infinity], c: Infinity })).toEqual({
      a: 2n ** 64n,
      b: ['NaN', '-Infinity'],
      c: 'Infinity',
    });
  });

  it('keeps a member named __proto__ a member', () => {
    const copy = snapshotPayload(parseJson('{"__proto__":{"polluted":true}}') as Record<string, unknown>);
    expect(Object.keys(copy)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('accepts exactly what a document can hold', () => {
    const copy = snapshotPayload(nested(maxJsonDepth - 1));
    expect(() => formatResultDocument({ payload: copy })).not.toThrow();
    expect(() => snapshotPayload(nested(maxJsonDepth))).toThrow(
      expect.objectContaining({ code: 'ART_INVALID_PAYLOAD' }),
    );
  });

  it.each([[new Date()], [() => 1], [Symbol('s')], [new Map()]])('refuses %s', (value) => {
    expect(() => snapshotPayload({ value })).toThrow(/JSON values/);
  });
});
