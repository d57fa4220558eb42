import type { ModelCallRecord } from '@art/trajectories';
import type { JsonObject } from '@art/ground';
import { expect, it } from 'vitest';
import { conversationEntries } from './conversation-entries.ts';

function call(startedAtMs: number, prompt: number[], answer: number): ModelCallRecord {
  return { startedAtMs, latencyMs: 100, prompt, answer } as ModelCallRecord;
}

it('joins results to the calls of tools, with the time between', () => {
  const messages: JsonObject[] = [
    { role: 'user', content: 'hello' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'a', function: { name: 'add', arguments: '{"x":1}' } },
        { id: 'b', function: { name: 'wait', arguments: 'not json' } },
      ],
    },
    { role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text: '2' }] },
    { role: 'tool', tool_call_id: 'unasked', content: 'x' },
    { role: 'assistant', content: 'two' },
  ];
  const entries = conversationEntries({ messages, calls: [call(0, [0], 1), call(350, [0, 1, 2], 4)] });
  expect(entries.map(({ at }) => at)).toEqual([0, 1, 3, 4]);
  expect(entries[1]).toMatchObject({
    message: { toolCalls: [{ name: 'add', arguments: '{\n  "x": 1\n}' }, { arguments: 'not json' }] },
    results: new Map([['a', { text: '2', elapsedMs: 250 }]]),
    call: { startedAtMs: 0 },
  });
});

it('reads the parts of other wires', () => {
  const [asked, told] = conversationEntries({
    messages: [
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm' },
          { type: 'text', text: 'well' },
          { type: 'tool_use', id: 't', name: 'find', input: { q: 1 } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 't', content: 'found' },
          { type: 'text', text: 'so?' },
        ],
      },
    ],
    calls: [],
  });
  expect(asked!.message.texts).toEqual([
    { kind: 'reasoning', text: 'hm' },
    { kind: 'text', text: 'well' },
  ]);
  expect(asked!.results.get('t')).toMatchObject({ text: 'found' });
  expect(told!.message.texts).toEqual([{ kind: 'text', text: 'so?' }]);
});

it('tells conversations apart that an agent held side by side', () => {
  const messages: JsonObject[] = ['a', 'b', 'c', 'd', 'e', 'f'].map((content) => ({ role: 'user', content }));
  const calls = [call(0, [0], 1), call(1, [2], 3), call(2, [0, 1, 4], 5)];
  expect(conversationEntries({ messages, calls }).map(({ thread }) => thread)).toEqual([1, 1, 2, 2, 1, 1]);
});

it('shows what is no message', () => {
  const messages = [
    'text',
    null,
    7,
    { role: 9, content: 5, tool_calls: [null, {}] },
  ] as unknown as JsonObject[];
  const entries = conversationEntries({ messages, calls: [] });
  expect(entries.map(({ message }) => message.texts[0]?.text)).toEqual(['"text"', 'null', '7', '5']);
  expect(entries[3]!.message.toolCalls).toEqual([{ id: '', name: 'unknown tool', arguments: '' }]);
});

it('reads each of thousands of calls a few times only', () => {
  const count = 3_000;
  let reads = 0;
  const counted: ProxyHandler<ModelCallRecord> = {
    get: (record, name) => {
      reads += 1;
      return Reflect.get(record, name);
    },
  };
  const messages: JsonObject[] = [];
  const calls: ModelCallRecord[] = [];
  for (let at = 0; at < count; at += 1) {
    const record = call(at * 200, [...messages.keys()].slice(-40), messages.length);
    calls.push(new Proxy(record, counted));
    messages.push({ role: 'assistant', tool_calls: [{ id: `c${at}`, function: { name: 'f' } }] });
    messages.push({ role: 'tool', tool_call_id: `c${at}`, content: 'x' });
  }
  expect(conversationEntries({ messages, calls })).toHaveLength(count);
  expect(reads).toBeLessThanOrEqual(10 * count);
});
