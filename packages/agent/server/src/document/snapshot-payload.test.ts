import { formatResultDocument } from '@art/protocol';
import { maxJsonDepth } from '@art/ground';
import { secretScrubber } from '../redaction/secret-scrubber.ts';
import { describe, expect, it } from 'vitest';
import { snapshotPayload } from './snapshot-payload.ts';

function nested(levels: number): Record<string, unknown> {
  let value: Record<string, unknown> = {};
  for (let level = 1; level < levels; level += 1) value = { a: value };
  return value;
}

function written(payload: Record<string, unknown>, ...secrets: string[]): unknown {
  const mapText = secretScrubber(secrets).mapDocumentText;
  const document = formatResultDocument({ payload: snapshotPayload(payload, mapText) });
  return (JSON.parse(document) as { payload: unknown }).payload;
}

describe('snapshotPayload', () => {
  it('shares nothing with the payload', () => {
    const payload = { list: [{ a: 1 }], text: 'x', none: null, yes: true };
    const copy = snapshotPayload(payload);
    payload.list[0]!.a = 2;
    expect(JSON.parse(formatResultDocument({ payload: copy }))).toEqual({
      payload: { list: [{ a: 1 }], text: 'x', none: null, yes: true },
    });
  });

  it('writes numbers that JSON has not as text', () => {
    expect(written({ b: [Number.NaN, -Infinity], c: Infinity })).toEqual({
      b: ['NaN', '-Infinity'],
      c: 'Infinity',
    });
  });

  it('takes secrets out, but for what says where the rollout belongs', () => {
    const payload = { note: 'a secret-1', 'secret-1': 1, _rollout: { exp_id: 'secret-1', x: 'secret-1' } };
    expect(written(payload, 'secret-1')).toEqual({
      note: 'a [redacted]',
      '[redacted]': 1,
      _rollout: { exp_id: 'secret-1', x: '[redacted]' },
    });
  });

  it('accepts exactly what a document can hold', () => {
    expect(() => formatResultDocument({ payload: nested(maxJsonDepth - 1) })).not.toThrow();
    expect(() => formatResultDocument({ payload: snapshotPayload(nested(maxJsonDepth - 1)) })).not.toThrow();
    expect(() => snapshotPayload(nested(maxJsonDepth))).toThrow(
      expect.objectContaining({ code: 'ART_INVALID_PAYLOAD' }),
    );
  });

  it.each([[new Date()], [() => 1], [Symbol('s')], [new Map()]])('refuses %s', (value) => {
    expect(() => snapshotPayload({ value })).toThrow(/at \$\.payload\.value/);
  });
});
