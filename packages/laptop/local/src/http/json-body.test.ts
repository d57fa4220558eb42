import { describe, expect, it } from 'vitest';
import { jsonBody } from './json-body.ts';

describe('jsonBody', () => {
  it.each(['', ' \n', '{}'])('takes %j for an empty object', (text) => {
    expect(jsonBody(Buffer.from(text))).toEqual({});
  });

  it.each([
    ['{"command":"echo hello","command":"rm -r ."}', /"command" occurs twice/],
    ['{"a":{"b":1,"b":2}}', /"b" occurs twice/],
    ['{"command":', /is not JSON in UTF-8/],
    ['[]', /is not a JSON object/],
  ])('refuses %s', (text, why) => {
    expect(() => jsonBody(Buffer.from(text))).toThrow(
      expect.objectContaining({ httpStatus: 400, message: expect.stringMatching(why) }),
    );
  });

  it('refuses bytes that are no UTF-8', () => {
    expect(() => jsonBody(Buffer.from([0x22, 0xff, 0x22]))).toThrow(/is not JSON in UTF-8/);
  });
});
