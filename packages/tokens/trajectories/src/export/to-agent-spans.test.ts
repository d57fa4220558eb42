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

  it('has an agent for each branch, below the first one, and each call once', () => {
    const forked = recordedRollout([
      { messages: [system('s'), user('q')], response_message: answer('plan') },
      { messages: [system('s'), user('q'), answer('plan'), user('a')], response_message: answer('A') },
      { messages: [system('s'), user('q'), answer('plan'), user('b')], response_message: answer('B') },
    ]);
    const spans = spansOf(forked);
    expect(spans.map(({ name }) => name.split(' ')[0])).toEqual([
      'invoke_agent',
      'chat',
      'chat',
      'invoke_agent',
      'chat',
    ]);
    expect(spans[3]!['parentSpanId']).toBe(spans[0]!.spanId);
    expect(messagesIn(spans[3], 'output')).toMatchObject([{ parts: [{ content: 'B' }] }]);
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
