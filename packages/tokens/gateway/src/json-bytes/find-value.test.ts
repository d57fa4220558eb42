import { describe, expect, it } from 'vitest';
import { findString, findValue } from './find-value.ts';

describe('findValue', () => {
  it('gives the place of a nested value', () => {
    const bytes = Buffer.from('{"a":{"b": [1, 2] },"c":1}');
    const range = findValue(bytes, ['a', 'b']);
    expect(bytes.subarray(range?.start, range?.end).toString()).toBe('[1, 2]');
  });

  it('takes the last of repeated members, at every level', () => {
    const text = Buffer.from('{"a":{"b":"1","b":"2"},"a":{"b":"3","b":"4"}}');
    expect(findString(text, ['a', 'b'])).toBe('4');
    expect(findString(Buffer.from('{"a":{"b":"1"},"a":5}'), ['a', 'b'])).toBeUndefined();
  });

  it('finds nothing where the path leads nowhere', () => {
    expect(findValue(Buffer.from('{"a":[{"b":1}]}'), ['a', 'b'])).toBeUndefined();
    expect(findValue(Buffer.from('[1]'), ['a'])).toBeUndefined();
    expect(findString(Buffer.from('{"a":1}'), ['a'])).toBeUndefined();
  });

  it('decodes texts and names', () => {
    expect(findString(Buffer.from('{"us\\u0065r":"\\ud83d\\ude00 \\"x\\""}'), ['user'])).toBe('😀 "x"');
  });

  it('refuses what is not JSON, also behind what was found', () => {
    expect(() => findValue(Buffer.from('{"a":1} x'), ['a'])).toThrow('Not JSON at byte 8');
  });
});
