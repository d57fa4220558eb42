import type { JsonObject } from '@art/ground';
import {
  readConversation,
  type CaptureRecord,
  type TrainingRow,
  type RecordedRollout,
} from '@art/trajectories';

export const lookUp: JsonObject = {
  type: 'function',
  function: { name: 'look_up', parameters: { type: 'object', properties: { key: { type: 'string' } } } },
};

/** Members of a rollout that a test is about. */
export interface Planted extends Partial<RecordedRollout> {
  /** First answer; a call of `look_up` unless it is given. */
  first?: JsonObject;
  /** Result of the tool. */
  result?: string;
  /** Last answer. */
  last?: JsonObject;
  /** Members of both calls. */
  capture?: Partial<CaptureRecord>;
  question?: string;
  temperature?: number;
  versions?: readonly number[];
  /** Weight versions of the captures. */
  versionsByCall?: readonly number[];
}

/** A rollout with a call of a tool and an answer, both captured whole, in which nothing is wrong. */
export function plantedRollout(input: number, member: number, planted: Planted = {}): RecordedRollout {
  const { first, result, last, capture, question, temperature = 1, versions = [3], ...more } = planted;
  const { versionsByCall = [3, 3], ...changes } = more;
  const id = `i${input}#${member}`;
  const calling = first ?? {
    role: 'assistant',
    content: null,
    tool_calls: [
      { id: `c${id}`, type: 'function', function: { name: 'look_up', arguments: `{"key":"k${input}"}` } },
    ],
  };
  const asked = [{ role: 'user', content: question ?? `What is k${input}?` }];
  const answers = [calling, last ?? { role: 'assistant', content: `It is ${input * 7 + member}.` }];
  const prompts = [
    asked,
    [...asked, calling, { role: 'tool', tool_call_id: `c${id}`, content: result ?? `${input * 7}` }],
  ];
  const captures = answers.map((answer, at): CaptureRecord => ({
    trace_id: `${id}-${at}`,
    session_id: id,
    model: 'policy',
    messages: prompts[at]!,
    prompt_token_ids: [1, 2],
    response_message: answer,
    // Lengths that have nothing to do with the reward.
    completion_token_ids: Array.from(
      { length: 2 + ((input * 5 + member * 3 + at) % 11) },
      (_, token) => input * 100 + member * 10 + token,
    ),
    logprobs: null,
    routing_matrices: null,
    finish_reason: 'stop',
    weight_version: versionsByCall[at]!,
    latency_ms: 1,
    token_counts: {},
    timestamp: at,
    metadata: {},
    raw_request: null,
    raw_response: null,
    capture: 'complete',
    tools: [lookUp],
    ...capture,
  }));
  const conversation = readConversation(captures, []);
  const tokens = conversation.calls.reduce((sum, call) => sum + (call.tokens?.ids.length ?? 0), 0);
  return {
    id,
    inputId: `i${input}`,
    outcome: 'ok',
    reward: (input + member) % 2,
    sessionId: `s${id}`,
    conversation,
    failedCalls: 0,
    rows: [trainingRow(id, tokens, temperature, versions)],
    ...changes,
  };
}

export function trainingRow(
  rolloutId: string,
  tokens: number,
  temperature = 1,
  versions: readonly number[] = [3],
): TrainingRow {
  return {
    schema: 'art.training-row.v1',
    row_id: `${rolloutId}-row`,
    session_id: rolloutId,
    rollout_id: rolloutId,
    group_id: null,
    row_index: 0,
    row_count: 1,
    is_last: true,
    token_ids: [1, ...Array.from({ length: tokens }, (_, at) => at)],
    prompt_length: 1,
    loss_mask: Array.from({ length: tokens }, () => 1),
    logprobs: Array.from({ length: tokens }, () => -0.5),
    reward: 1,
    status: 'completed',
    finish_reason: 'stop',
    num_turns: versions.length,
    turn_spans: versions.map((version, at) => ({
      trace_id: `t${at}`,
      start: 0,
      end: tokens,
      temperature,
      weight_version: version,
    })),
    model: 'policy',
    created_at: 0,
    metadata: {},
  };
}

/** Six groups of four rollouts. */
export function plantedRun(
  planted: (input: number, member: number) => Planted = () => ({}),
): RecordedRollout[] {
  return Array.from({ length: 24 }, (_, at) => {
    const [input, member] = [Math.floor(at / 4), at % 4];
    return plantedRollout(input, member, planted(input, member));
  });
}
