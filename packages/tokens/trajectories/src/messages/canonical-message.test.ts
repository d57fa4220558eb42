import { describe, expect, it } from 'vitest';
import { canonicalMessage } from './canonical-message.ts';

function same(left: unknown, right: unknown, withReasoning = false): boolean {
  const [a, b] = [left, right].map(
    (message) =>
      canonicalMessage(JSON.stringify(message), { compare: withReasoning ? 'content+reasoning' : 'content' })
        .text,
  );
  return a === b;
}

const user = { role: 'user', content: 'a\nb' };
const withCall = (args: unknown, id = 'x') => ({
  role: 'assistant',
  content: '',
  tool_calls: [{ id, type: 'function', function: { name: 'f', arguments: args } }],
});

describe('canonicalMessage', () => {
  it.each([
    [
      'text in blocks',
      user,
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'input_text', text: 'b' },
        ],
      },
    ],
    [
      'empty blocks',
      user,
      { role: 'user', content: ['a', { type: 'text', text: '' }, { type: 'text', text: 'b' }] },
    ],
    [
      'nested blocks',
      user,
      { role: 'user', content: [{ type: 'tool_result', content: [{ text: 'a' }, { text: 'b' }] }] },
    ],
    ['null content', { role: 'assistant', content: '' }, { role: 'assistant', content: null }],
    ['no content', { role: 'assistant', content: '' }, { role: 'assistant' }],
    ['developer', { role: 'system', content: 'x' }, { role: 'developer', content: 'x' }],
    ['ids of calls', withCall('{}', 'x'), withCall('{}', 'y')],
    [
      'ids of results',
      { role: 'tool', content: 'r', tool_call_id: 'x' },
      { role: 'tool', content: 'r', tool_call_id: 'y' },
    ],
    ['spelling of arguments', withCall('{"a": 1.0, "b": [2]}'), withCall('{"b":[2],"a":1}')],
    ['arguments as an object', withCall('{"a":1}'), withCall({ a: 1 })],
    ['empty arguments', withCall(''), withCall('{}')],
    ['no calls', { role: 'assistant', content: 'x', tool_calls: [] }, { role: 'assistant', content: 'x' }],
    [
      'images',
      { role: 'user', content: [{ type: 'image_url', image_url: 1 }] },
      { role: 'user', content: [{ type: 'input_image' }] },
    ],
    [
      'reasoning',
      { role: 'assistant', content: 'x', reasoning_content: 'r' },
      { role: 'assistant', content: 'x' },
    ],
  ])('takes no notice of %s', (_, left, right) => {
    expect(same(left, right)).toBe(true);
  });

  it.each([
    ['role', user, { ...user, role: 'assistant' }],
    ['space in a text', user, { ...user, content: 'a\nb ' }],
    ['arguments', withCall('{"a":1}'), withCall('{"a":2}')],
    ['big numbers', withCall('{"a":36893488147419103232}'), withCall('{"a":36893488147419103233}')],
    ['broken arguments', withCall('{"a":'), withCall('{"a"')],
    ['order of a list', withCall('{"a":[1,2]}'), withCall('{"a":[2,1]}')],
    ['lists and objects', withCall('{"a":[["b",1]]}'), withCall('{"a":{"b":1}}')],
    [
      'number of calls',
      withCall('{}'),
      { ...withCall('{}'), tool_calls: [...withCall('{}').tool_calls, ...withCall('{}').tool_calls] },
    ],
  ])('compares %s', (_, left, right) => {
    expect(same(left, right)).toBe(false);
  });

  it('compares reasoning where that is asked for, by either of its names', () => {
    const [plain, old, recent] = [{}, { reasoning_content: 'r' }, { reasoning: 'r' }].map((extra) => ({
      role: 'assistant',
      ...extra,
    }));
    expect([same(plain, old, true), same(old, recent, true)]).toEqual([false, true]);
  });

  it('compares what is no text where that is asked for', () => {
    const image = (url: string) =>
      JSON.stringify({ role: 'user', content: [{ type: 'image_url', image_url: { url } }] });
    const texts = (['omitted', 'counted'] as const).map((media) =>
      ['a', 'b', 'a'].map((url) => canonicalMessage(image(url), { compare: 'content', media }).text),
    );
    expect(texts.map((found) => new Set(found).size)).toEqual([1, 2]);
    const thought =
      '{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"a"}]}';
    expect(canonicalMessage(thought, { compare: 'content', media: 'counted' })).toEqual(
      canonicalMessage('{"role":"assistant","content":"a"}', { compare: 'content' }),
    );
  });

  it('takes what is no message as it is', () => {
    expect(canonicalMessage('[1', { compare: 'content' })).toEqual({ role: '', text: '[1' });
  });
});
