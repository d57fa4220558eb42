import { describe, expect, it } from 'vitest';
import { RequestValue } from './request-value.ts';

describe('RequestValue', () => {
  it('cuts values out as they were written; of members with one name the last counts', () => {
    const body = RequestValue.body(
      Buffer.from(
        '\u{feff} { "a" : 1.0 , "\\u0061":-1E+2,"b":[ ],"c":"\\\\","d":[1 , "],[" ,\n{"a":"}ä"}] } ',
      ),
    );
    expect(Array.from(body.members(), ([name, value]) => [name, value.text])).toEqual([
      ['a', '-1E+2'],
      ['b', '[ ]'],
      ['c', '"\\\\"'],
      ['d', '[1 , "],[" ,\n{"a":"}ä"}]'],
    ]);
    expect(body.required('b').elements()).toEqual([]);
    const items = body.required('d').elements();
    expect(items.map((item) => item.text)).toEqual(['1', '"],["', '{"a":"}ä"}']);
    expect(items[2]?.member('a')?.path).toBe('d[2].a');
  });

  it.each([
    ['no JSON', '{"a":'],
    ["Python's NaN", '{"a":NaN}'],
    ['deeper than 512 levels', `{"a":${'['.repeat(512)}${']'.repeat(512)}}`],
    ['a list', '[]'],
  ])('refuses a body that is %s', (_name, body) => {
    expect(() => RequestValue.body(body)).toThrow(
      expect.objectContaining({
        status: 400,
        message: expect.stringMatching(/^Expected the body to be (?:JSON in UTF-8: .*[^.]|.* got .*[^.])\.$/),
      }),
    );
  });
});
