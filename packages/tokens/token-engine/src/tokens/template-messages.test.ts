import { describe, expect, it } from 'vitest';

import { stringifyLossless } from './lossless-json.ts';
import { toTemplateMessage } from './template-messages.ts';

const shown = (message: string, knowsDeveloper = false): unknown =>
  stringifyLossless(toTemplateMessage(message, knowsDeveloper));

describe('a message for a template', () => {
  it.each([
    ['{"role":"user","content":"a"}', '{"role":"user","content":"a"}'],
    ['{"role":"assistant","content":null}', '{"role":"assistant","content":""}'],
    ['{"role":"assistant"}', '{"role":"assistant","content":""}'],
    [
      '{"role":"user","content":[{"type":"text","text":"a"},{"type":"input_text","text":""},{"text":"b"}]}',
      '{"role":"user","content":"a\\nb"}',
    ],
    ['{"role":"developer","content":"a"}', '{"role":"system","content":"a"}'],
    [
      '{"role":"assistant","content":"","tool_calls":[{"id":"1","function":{"name":"f","arguments":"{\\"b\\": 1.0, \\"1\\": 2}"}}]}',
      '{"role":"assistant","content":"","tool_calls":[{"id":"1","function":{"name":"f","arguments":{"b":1.0,"1":2}}}]}',
    ],
    [
      '{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f","arguments":"oops"}}]}',
      '{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f","arguments":{"_raw_arguments":"oops"}}}]}',
    ],
    ['{"role":"assistant","content":"a","tool_calls":null}', '{"role":"assistant","content":"a"}'],
    [
      '{"role":"assistant","content":"a","reasoning":"r"}',
      '{"role":"assistant","content":"a","reasoning":"r","reasoning_content":"r","thinking":"r"}',
    ],
    ['{"role":"assistant","content":"a","reasoning_content":null}', '{"role":"assistant","content":"a"}'],
  ])('%s', (message, expected) => {
    expect(shown(message)).toBe(expected);
  });

  it('keeps the role of developers where the template knows it', () => {
    expect(shown('{"role":"developer","content":"a"}', true)).toContain('developer');
  });

  it.each([
    ['{"role":"user","content":[{"type":"image_url","image_url":{}}]}', 'image_url'],
    ['{"role":"user","content":{"type":"text"}}', 'an object'],
    ['{"content":"a"}', 'a role'],
    ['[]', 'a role'],
  ])('refuses %s', (message, words) => {
    expect(() => toTemplateMessage(message, false)).toThrow(
      expect.objectContaining({
        code: 'ART_UNSUPPORTED_MESSAGE',
        message: expect.stringContaining(words) as string,
      }),
    );
  });
});
