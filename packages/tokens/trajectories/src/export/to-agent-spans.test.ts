import type { JsonObject } from '@art/ground';
import { describe, expect, it } from 'vitest';
import { exportRollouts } from './export-rollouts.ts';
import {
  answer,
  lookUp,
  recordedRollout,
  system,
  toolCall,
  toolResult,
  toolRollout,
  user,
} from './recorded-rollout.fixture.ts';
import { toAgentSpans } from './to-agent-spans.ts';

interface Span extends JsonObject {
  name: string;
  spanId: string;
  attributes: Record<string, string>;
}

const spansOf = (...rollout: Parameters<typeof toAgentSpans>): Span[] => toAgentSpans(...rollout) as Span[];
const messagesIn = (span: Span | undefined, side: 'input' | 'output'): unknown =>
  JSON.parse(span?.attributes[`gen_ai.${side}.messages`] ?? 'null');

/** A list for each trace: the names of its spans, for an agent what it was asked and answered. */
function treeOf(spans: readonly Span[]): string[][] {
  const texts = (span: Span, side: 'input' | 'output'): string =>
    (messagesIn(span, side) as { parts: { content: string }[] }[])[0]?.parts[0]?.content ?? '';
  const byTrace = Map.groupBy(spans, (span) => span['traceId']);
  return Array.from(byTrace.values(), (of) =>
    of.map((span) =>
      span.name.startsWith('invoke_agent')
        ? `${texts(span, 'input')} -> ${texts(span, 'output')}`
        : span.name,
    ),
  );
}

describe('toAgentSpans', () => {
  it('has the agent, its calls of the model and its calls of tools, in one trace', () => {
    const spans = spansOf({ ...toolRollout(), sessionId: 'session' }, 'clerk');
    expect(spans.map(({ name }) => name)).toEqual([
      'invoke_agent clerk',
      'chat policy',
      'execute_tool look_up',
      'chat policy',
    ]);
    const [agent, first, tool, second] = spans;
    expect(new Set(spans.map((span) => span['traceId'])).size).toBe(1);
    for (const span of spans) {
      expect(span['traceId']).toMatch(/^[0-9a-f]{32}$/);
      expect(span.spanId).toMatch(/^[0-9a-f]{16}$/);
      expect(span.attributes['session.id']).toBe('session');
      expect(span['parentSpanId']).toBe(span === agent ? undefined : agent!.spanId);
    }
    expect(messagesIn(agent, 'input')).toEqual([
      { role: 'user', parts: [{ type: 'text', content: 'What is ab?' }] },
    ]);
    expect(messagesIn(agent, 'output')).toEqual([
      { role: 'assistant', parts: [{ type: 'text', content: 'It is 42.' }], finish_reason: 'stop' },
    ]);
    expect(messagesIn(first, 'output')).toEqual([
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', content: 'I look it up.' },
          { type: 'tool_call', id: 'c1', name: 'look_up', arguments: { key: 'ab' } },
        ],
        finish_reason: 'tool_calls',
      },
    ]);
    expect(messagesIn(second, 'input')).toHaveLength(4);
    expect(JSON.parse(first!.attributes['gen_ai.tool.definitions']!)).toEqual([lookUp]);
    expect(tool!.attributes).toMatchObject({
      'gen_ai.tool.name': 'look_up',
      'gen_ai.tool.call.id': 'c1',
      'gen_ai.tool.call.arguments': '{"key": "ab"}',
      'gen_ai.tool.call.result': '42',
    });
  });

  it('lets a tool run from the end of the call that asked for it to the call that saw its result', () => {
    const [, first, tool, second] = spansOf(toolRollout());
    expect(tool!['startTimeUnixNano']).toBe(first!['endTimeUnixNano']);
    expect(tool!['endTimeUnixNano']).toBe(second!['startTimeUnixNano']);
    expect(first!['durationNano']).toBe(10_000_000);
  });

  it('makes the same ids of the same rollout, and others of another', () => {
    const ids = (id: string): string[] => spansOf({ ...toolRollout(), id }).map(({ spanId }) => spanId);
    expect(ids('a')).toEqual(ids('a'));
    expect(new Set([...ids('a'), ...ids('b')]).size).toBe(8);
  });

  it('has a trace for each turn, with what was asked and answered in it', () => {
    const first = [system('s'), user('q')];
    const second = [...first, answer('plan'), user('a')];
    const spans = spansOf(
      recordedRollout([
        { messages: first, response_message: answer('plan') },
        { messages: second, response_message: answer('', { tool_calls: [toolCall('c', 'look_up', '{}')] }) },
        {
          messages: [
            ...second,
            answer('', { tool_calls: [toolCall('c', 'look_up', '{}')] }),
            toolResult('c', '42'),
            user('Reminder: be brief.'),
          ],
          response_message: answer('A'),
        },
        // Another answer to what was asked before.
        { messages: [...first, answer('plan'), user('b')], response_message: answer('B') },
      ]),
    );
    expect(treeOf(spans)).toEqual([
      ['q -> plan', 'chat policy'],
      ['a -> A', 'chat policy', 'execute_tool look_up', 'chat policy'],
      ['b -> B', 'chat policy'],
    ]);
    expect(new Set(spans.map((span) => span['traceId'])).size).toBe(3);
  });

  it('begins a turn where a user speaks in place of the result of a tool', () => {
    const asks = answer('', { tool_calls: [toolCall('c1', 'look_up', '{}')] });
    const spans = spansOf(
      recordedRollout([
        { messages: [user('q')], response_message: asks },
        { messages: [user('q'), asks, user('stop')], response_message: answer('Stopped.') },
      ]),
    );
    expect(treeOf(spans)).toEqual([
      ['q -> ', 'chat policy'],
      ['stop -> Stopped.', 'chat policy'],
    ]);
  });

  it('puts a sub-agent into the trace of the agent that waits for it', () => {
    const asks = answer('', { tool_calls: [toolCall('c1', 'ask', '{}')] });
    const spans = spansOf(
      recordedRollout([
        { messages: [system('boss'), user('q')], response_message: asks },
        { messages: [system('expert'), user('sub')], response_message: answer('sub answer') },
        {
          messages: [system('boss'), user('q'), asks, toolResult('c1', 'sub answer')],
          response_message: answer('A'),
        },
      ]),
    );
    expect(treeOf(spans)).toEqual([
      ['q -> A', 'chat policy', 'execute_tool ask', 'chat policy', 'sub -> sub answer', 'chat policy'],
    ]);
    const [root, nested] = spans.filter(({ name }) => name.startsWith('invoke_agent'));
    expect(nested!['parentSpanId']).toBe(root!.spanId);
  });

  it.each<[string, JsonObject[], JsonObject[]]>([
    ['another system prompt', [system('It is 10:00.'), user('q')], [system('It is 10:01.'), user('q')]],
    ['a beginning that was cut off', [user('old'), answer('old'), user('q')], [user('q')]],
    ['a beginning that was summed up', [user('old'), answer('old'), user('q')], [user('Summary.')]],
  ])('continues the turn after %s', (_, before, after) => {
    const asks = answer('', { tool_calls: [toolCall('c1', 'look_up', '{}')] });
    const spans = spansOf(
      recordedRollout([
        { messages: before, response_message: asks },
        { messages: [...after, asks, toolResult('c1', '42')], response_message: answer('A') },
      ]),
    );
    expect(treeOf(spans)).toEqual([['q -> A', 'chat policy', 'execute_tool look_up', 'chat policy']]);
  });

  it('gives each call of a tool its own result, also where the engine repeats ids or leaves them empty', () => {
    const asks = (id: string, ...names: string[]): JsonObject =>
      answer('', { tool_calls: names.map((name) => toolCall(id, name, '{}')) });
    const spans = (id: string): Span[] =>
      spansOf(
        recordedRollout([
          { messages: [user('q')], response_message: asks(id, 'one', 'two') },
          {
            messages: [user('q'), asks(id, 'one', 'two'), toolResult(id, '1'), toolResult(id, '2')],
            response_message: asks(id, 'three'),
          },
          {
            messages: [
              user('q'),
              asks(id, 'one', 'two'),
              toolResult(id, '1'),
              toolResult(id, '2'),
              asks(id, 'three'),
              toolResult(id, '3'),
            ],
            response_message: answer('A'),
          },
        ]),
      );
    for (const id of ['', 'call_0'])
      expect(
        spans(id)
          .filter(({ name }) => name.startsWith('execute_tool'))
          .map(({ name, attributes }) => [name, attributes['gen_ai.tool.call.result']]),
      ).toEqual([
        ['execute_tool one', '1'],
        ['execute_tool two', '2'],
        ['execute_tool three', '3'],
      ]);
  });

  it('keeps calls that said the same, and the blocks of a message apart', () => {
    const content = [
      { type: 'text', text: 'Yes or no?' },
      { type: 'text', text: '<reminder>' },
    ];
    const voter = { messages: [{ role: 'user', content }], response_message: answer('yes') };
    const spans = spansOf(recordedRollout([voter, voter]));
    expect(treeOf(spans)).toEqual([
      ['Yes or no? -> yes', 'chat policy'],
      ['Yes or no? -> yes', 'chat policy'],
    ]);
    expect(messagesIn(spans[0], 'input')).toMatchObject([
      { parts: [{ content: 'Yes or no?' }, { content: '<reminder>' }] },
    ]);
  });

  it('has no span for a tool without a result, nor for a result that nobody asked for', () => {
    const spans = spansOf(
      recordedRollout([
        {
          messages: [user('q'), toolResult('c0', 'stray')],
          response_message: answer('', { tool_calls: [toolCall('c1', 'look_up', '{}')] }),
        },
      ]),
    );
    expect(spans.map(({ name }) => name)).toEqual(['invoke_agent agent', 'chat policy']);
  });

  it('is a format of exports that takes failed rollouts, and leaves out what is no text', async () => {
    const failed = { ...toolRollout(), outcome: 'timeout' as const, reward: null };
    const picture = recordedRollout([
      {
        messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:' } }] }],
        response_message: answer('a cat'),
      },
    ]);
    const made = exportRollouts([failed, picture], { format: 'spans', agentName: 'clerk' });
    const lines = await Array.fromAsync(made);
    expect(lines.map((line) => line['name'])).toEqual(spansOf(failed, 'clerk').map(({ name }) => name));
    expect(made.summary).toEqual({ rollouts: 2, lines: 4, leftOut: { media: 1 } });
  });
});
