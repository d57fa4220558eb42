import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { finalReward } from './final-reward.ts';
import {
  completeResultDocument,
  errorDocument,
  formatResultDocument,
  isSuccessDocument,
  parseResultDocument,
  type ResultDocument,
} from './result-document.ts';

const golden = (name: string): string =>
  readFileSync(new URL(`golden/${name}.json`, import.meta.url), 'utf8');

const context = {
  inputId: 'in1',
  s3Bucket: 'rb',
  resultKey: 'exp1/in1/s.json',
  payload: { prompt: 'hi', _rollout: { exp_id: 'exp1' } },
};

describe('golden documents of the Python app', () => {
  it.each(['success', 'error'])('%s: read and written again, it is the same to the byte', (name) => {
    const text = golden(name);
    expect(formatResultDocument(parseResultDocument(text))).toBe(text);
  });

  it('non-finite: read without loss of meaning, never written', () => {
    const document = parseResultDocument(golden('non-finite'));
    expect(document.rewards).toBeNaN();
    expect(document['scores']).toEqual([Infinity, -Infinity, Infinity, -0]);
    expect(finalReward(document)).toBeUndefined();
    expect(() => formatResultDocument(document)).toThrowError(/\$\.rewards/);
  });

  it('big-integers: every digit survives', () => {
    const document = parseResultDocument(golden('big-integers'));
    expect(document['ids']).toEqual([2n ** 53n, 2n ** 53n + 1n, -(2n ** 64n), 10n ** 30n]);
    expect(document['ratio']).toBe(0.30000000000000004);
    expect(formatResultDocument(document)).toContain('1000000000000000000000000000000');
  });
});

describe('completeResultDocument', () => {
  it("adds the reserved fields behind the handler's own, in the order of the Python app", () => {
    const result = { rewards: 1, echo: 'hi' };
    const document = completeResultDocument(result, context);
    expect(Object.keys(document)).toEqual([
      'rewards',
      'echo',
      'status_code',
      'stop_reason',
      'input_id',
      's3_bucket',
      'result_key',
      'payload',
    ]);
    expect(document).toMatchObject({ status_code: 200, stop_reason: 'end_turn', payload: context.payload });
    expect(result).toEqual({ rewards: 1, echo: 'hi' });
  });

  it('keeps status_code and stop_reason of the handler and overwrites the rest', () => {
    const document = completeResultDocument(
      { status_code: 503, stop_reason: 'max_turns', input_id: 'mine', payload: 'mine' },
      context,
    );
    expect(document).toMatchObject({
      status_code: 503,
      stop_reason: 'max_turns',
      input_id: 'in1',
      payload: context.payload,
    });
  });

  it('can hold the payload itself as the result', () => {
    const document = completeResultDocument(context.payload, context);
    expect(JSON.parse(formatResultDocument(document))).toMatchObject({
      prompt: 'hi',
      payload: { prompt: 'hi' },
    });
  });
});

describe('errorDocument', () => {
  it('has message and stack of an error', () => {
    const document = errorDocument(new Error('boom'));
    expect(document.status_code).toBe(500);
    expect(document.stop_reason).toBe('boom');
    expect(document.traceback).toMatch(/Error: boom\n\s+at /);
  });

  it('takes anything that can be thrown', () => {
    expect(errorDocument('text', 503)).toEqual({ status_code: 503, stop_reason: 'text', traceback: 'text' });
    expect(errorDocument(undefined).stop_reason).toBe('undefined');
    expect(errorDocument(Object.create(null)).stop_reason).toBe('an object');
    expect(errorDocument(Object.assign(new Error('x'), { message: 5 })).stop_reason).toBe('Error: 5');
  });

  it('is made of a thrown value that throws when it is looked at', () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(errorDocument(proxy)).toMatchObject({
      status_code: 500,
      stop_reason: expect.any(String) as string,
    });
  });
});

describe('parseResultDocument', () => {
  it.each(['', '[1]', '"x"', 'null', '{"status_code":"200"}', '{"a":'])('refuses %j', (text) => {
    expect(() => parseResultDocument(text)).toThrowError(
      expect.objectContaining({ code: 'ART_INVALID_DOCUMENT' }) as Error,
    );
  });
});

it.each<[ResultDocument, boolean]>([
  [{}, true],
  [{ status_code: 200 }, true],
  [{ status_code: 500 }, false],
  [{ status_code: 0 }, false],
])('isSuccessDocument(%j) is %j', (document, expected) => {
  expect(isSuccessDocument(document)).toBe(expected);
});
