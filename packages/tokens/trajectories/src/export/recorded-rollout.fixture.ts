import type { JsonObject } from '@art/ground';
import { readConversation } from '../conversation/read-conversation.ts';
import type { RecordedRollout } from '../records/rollout-record.ts';
import type { CaptureRecord } from '../captures/capture-record.ts';

/** Call with its request and answer, and members that a test is about. */
export interface SaidCall extends Partial<CaptureRecord> {
  messages: JsonObject[];
  response_message: JsonObject;
}

export const user = (content: string): JsonObject => ({ role: 'user', content });
export const system = (content: string): JsonObject => ({ role: 'system', content });
export const answer = (content: string, more: JsonObject = {}): JsonObject => ({
  role: 'assistant',
  content,
  ...more,
});
export const toolCall = (id: string, name: string, given: string): JsonObject => ({
  id,
  type: 'function',
  function: { name, arguments: given },
});
export const toolResult = (id: string, content: string): JsonObject => ({
  role: 'tool',
  tool_call_id: id,
  content,
});
export const lookUp: JsonObject = {
  type: 'function',
  function: {
    name: 'look_up',
    description: '',
    parameters: { type: 'object', properties: { key: { type: 'string' } } },
  },
};

/** A rollout of which nothing but its calls is of interest. */
export function recordedRollout(
  calls: readonly SaidCall[],
  changes: Partial<RecordedRollout> = {},
): RecordedRollout {
  const captures = calls.map((call, at): CaptureRecord => ({
    trace_id: `t${at}`,
    session_id: 's',
    model: 'policy',
    prompt_token_ids: [1, 2, 3],
    completion_token_ids: [10 + at, 11],
    logprobs: [-0.5, -0.25],
    routing_matrices: null,
    finish_reason: 'stop',
    weight_version: 17,
    latency_ms: 10,
    token_counts: { prompt: 3, completion: 2 },
    timestamp: 1_700_000_000 + at,
    metadata: {},
    raw_request: null,
    raw_response: null,
    capture: 'complete',
    ...call,
  }));
  return {
    id: 'r1',
    inputId: 'i1',
    outcome: 'ok',
    reward: 1,
    sessionId: 's',
    conversation: readConversation(captures, []),
    ...changes,
  };
}

/** "What is ab?", looked up with a tool and answered; the agent sends no reasoning back. */
export function toolRollout(changes: Partial<RecordedRollout> = {}): RecordedRollout {
  const asked = [system('Use the tool.'), user('What is ab?')];
  const calling = {
    role: 'assistant',
    content: null,
    tool_calls: [toolCall('c1', 'look_up', '{"key": "ab"}')],
  };
  return recordedRollout(
    [
      {
        messages: asked,
        response_message: { ...calling, refusal: null, reasoning_content: 'I look it up.' },
        finish_reason: 'tool_calls',
        tools: [lookUp],
      },
      {
        messages: [...asked, calling, toolResult('c1', '42')],
        response_message: answer('It is 42.'),
        tools: [lookUp],
      },
    ],
    changes,
  );
}
