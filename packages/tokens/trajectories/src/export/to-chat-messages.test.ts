import { describe, expect, it } from 'vitest';
import { plainMessage, type PlainMessage } from './plain-message.ts';
import { toChatMessages } from './to-chat-messages.ts';

const call = (name: string, args = ''): object => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'call_0', type: 'function', function: { name, arguments: args } }],
});
const result = { role: 'tool', tool_call_id: 'call_0', content: 'ok' };
const messages = [call('search'), result, call('book', '{"a":1}'), result].map(
  (message) => plainMessage(message as never) as PlainMessage,
);

describe('toChatMessages', () => {
  it('names the tool of the turn where ids repeat in each turn', () => {
    const written = toChatMessages(messages, { arguments: 'object', isExtended: true });
    expect(written.map(({ name }) => name)).toEqual([undefined, 'search', undefined, 'book']);
  });

  it('writes a call without arguments as an empty object', () => {
    const written = toChatMessages(messages, { arguments: 'text', isExtended: false });
    expect(written[0]).toMatchObject({ tool_calls: [{ function: { name: 'search', arguments: '{}' } }] });
  });
});
