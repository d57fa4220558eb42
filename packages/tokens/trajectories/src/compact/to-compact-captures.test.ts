import { describe, expect, it } from 'vitest';
import { conversation, sampleCapture } from '../testing/sample-capture.ts';
import { toCompactCaptures } from './to-compact-captures.ts';
import { toCaptureRecord } from '../captures/to-capture-record.ts';
import type { Capture } from '../captures/capture.ts';

interface Delta extends Record<string, unknown> {
  trace_id: string;
  parent_trace_id: string | null;
  messages_suffix: unknown[];
  prompt_ids_suffix: number[];
  response_message: unknown;
  completion_token_ids: number[];
  echoed_response?: unknown;
}

interface FullRecord extends Record<string, unknown> {
  messages: unknown[];
  prompt_token_ids: number[];
  response_message: unknown;
  completion_token_ids: number[];
}

/** Reads the compact form as its description says. */
function expand(text: string): FullRecord[] {
  const { deltas } = JSON.parse(text) as { deltas: Delta[] };
  const records = new Map<string, FullRecord>();
  for (const delta of deltas) {
    const { parent_trace_id, messages_suffix, prompt_ids_suffix, echoed_response, ...rest } = delta;
    const parent = parent_trace_id === null ? undefined : records.get(parent_trace_id);
    const echo = parent && [echoed_response ?? parent.response_message];
    records.set(delta.trace_id, {
      ...rest,
      messages: [...(parent?.messages ?? []), ...(echo ?? []), ...messages_suffix],
      prompt_token_ids: [
        ...(parent?.prompt_token_ids ?? []),
        ...(parent?.completion_token_ids ?? []),
        ...prompt_ids_suffix,
      ],
    });
  }
  return [...records.values()];
}

const full = (captures: readonly Capture[]): unknown[] =>
  captures.map((capture) => JSON.parse(toCaptureRecord(capture)) as unknown);

describe('toCompactCaptures', () => {
  it('tells a conversation without repeating it', () => {
    const captures = conversation('s', 6);
    const text = toCompactCaptures(captures);
    expect(expand(text)).toEqual(full(captures));
    const { format, version, deltas } = JSON.parse(text) as {
      format: string;
      version: number;
      deltas: Delta[];
    };
    expect({ format, version }).toEqual({ format: 'compact', version: 1 });
    expect(deltas.map((delta) => delta.parent_trace_id)).toEqual([null, 's-0', 's-1', 's-2', 's-3', 's-4']);
    expect(deltas.slice(1).every((delta) => delta.messages_suffix.length === 1)).toBe(true);
    expect(deltas.slice(1).every((delta) => delta.prompt_ids_suffix.length === 2)).toBe(true);
  });

  it('finds the parent of an echo that is spelt otherwise, and keeps the spelling', () => {
    const [first, second] = conversation('s', 2) as [Capture, Capture];
    const echo =
      '{ "content": "answer 0", "role": "assistant", "refusal": null, "tool_calls": [], "reasoning_content": "hm",' +
      ' "provider_specific_fields": { "refusal": null, "reasoning": "hm" } }';
    const messages = second.messages.with(first.messages.length, echo);
    const captures = [
      { ...first, responseMessage: '{"role":"assistant","content":"answer 0","reasoning":"hm"}' },
      { ...second, messages },
    ];
    const text = toCompactCaptures(captures);
    expect(expand(text)).toEqual(full(captures));
    expect(text).toContain('"parent_trace_id":"s-0"');
    expect(text).toContain(echo);
  });

  it('takes no parent whose tokens or messages are others', () => {
    const [first, second] = conversation('s', 2) as [Capture, Capture];
    const drifted = { ...second, promptTokenIds: second.promptTokenIds.with(3, 77) };
    const edited = { ...second, captureId: 'edited', messages: second.messages.with(0, '{"role":"system"}') };
    const answered = {
      ...second,
      captureId: 'answered',
      messages: second.messages.with(first.messages.length, '{"role":"assistant","content":"another"}'),
    };
    const response = '{"role":"assistant","content":"answer 0","reasoning":"hm"}';
    const silent = { ...second, captureId: 'silent' };
    const thinking = { ...first, captureId: 'thinking', responseMessage: response };
    const other = sampleCapture({ captureId: 'other', sessionId: 's' });
    for (const captures of [
      [first, drifted, edited, answered, other],
      [thinking, silent],
    ]) {
      const text = toCompactCaptures(captures);
      expect(expand(text)).toEqual(full(captures));
      expect(text.match(/"parent_trace_id":null/g)).toHaveLength(captures.length);
    }
  });
});
