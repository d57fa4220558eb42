import { createHash } from 'node:crypto';
import type { JsonObject } from '@art/ground';
import type { ModelCallRecord } from '../conversation/conversation.ts';
import type { RecordedRollout } from '../records/rollout-record.ts';
import { type Branch, conversationBranches } from './conversation-branches.ts';
import { type MessageProblem, type PlainMessage, plainMessage } from './plain-message.ts';

/** The part of a rollout that its spans are made of. */
export type SpokenRollout = Pick<RecordedRollout, 'id' | 'sessionId' | 'conversation'>;

/** A message as the semantic conventions of OpenTelemetry write one: a role, and parts with types. */
interface SpokenMessage extends JsonObject {
  role: string;
  parts: JsonObject[];
}

/** A message of a branch in both forms, and the call that answered with it. */
interface Said {
  plain: PlainMessage;
  spoken: SpokenMessage;
  call: ModelCallRecord | undefined;
  isShared: boolean;
}

// One of the scopes whose spans AgentCore Evaluations reads; spans of this one keep texts in the attributes of the conventions.
// https://docs.aws.amazon.com/bedrock-agentcore/latest/devguide/supported-frameworks-openai-agents.html
const scope = { name: 'opentelemetry.instrumentation.openai_agents', version: '' };

/**
 * The spans of a rollout with its texts, as CloudWatch keeps spans of OpenTelemetry: `invoke_agent` for each branch of its
 * conversation, with a `chat` for each call of the model and an `execute_tool` for each call of a tool that has a result. All are one
 * trace, the first span is its root. Ids are made of the rollout's id: the same rollout always has the same.
 * @param rollout with a conversation of one call or more
 * @param agentName `gen_ai.agent.name` of the spans
 */
export function toAgentSpans(rollout: SpokenRollout, agentName = 'agent'): JsonObject[] | MessageProblem {
  const spans: JsonObject[] = [];
  const traceId = digest(rollout.id, 32);
  const rootId = digest(`${rollout.id} 0`, 16);
  const add = (
    name: string,
    [startMs, endMs]: readonly [number, number],
    attributes: JsonObject,
    parentSpanId?: string,
  ): string => {
    const spanId = digest(`${rollout.id} ${spans.length}`, 16);
    spans.push({
      traceId,
      spanId,
      ...(parentSpanId !== undefined && { parentSpanId }),
      name,
      kind: parentSpanId === undefined ? 'SERVER' : 'INTERNAL',
      startTimeUnixNano: Math.round(startMs * 1e6),
      endTimeUnixNano: Math.round(endMs * 1e6),
      durationNano: Math.round((endMs - startMs) * 1e6),
      resource: { attributes: { 'service.name': agentName } },
      scope,
      attributes: {
        'session.id': rollout.sessionId ?? rollout.id,
        'gen_ai.conversation.id': rollout.sessionId ?? rollout.id,
        ...attributes,
      },
      status: { code: 'UNSET' },
    });
    return spanId;
  };
  for (const [place, branch] of conversationBranches(rollout.conversation!).entries()) {
    const said = saidIn(branch);
    if (typeof said === 'string') return said;
    const agent = agentSpan(said, branch, agentName);
    const agentId = add(
      `invoke_agent ${agentName}`,
      agent.times,
      agent.attributes,
      place === 0 ? undefined : rootId,
    );
    for (const { name, times, attributes } of stepSpans(said, branch)) add(name, times, attributes, agentId);
  }
  return spans;
}

interface Step {
  name: string;
  times: readonly [number, number];
  attributes: JsonObject;
}

function saidIn({ messages }: Branch): Said[] | MessageProblem {
  const said: Said[] = [];
  for (const { message, call, isShared } of messages) {
    const plain = plainMessage(message);
    if (typeof plain === 'string') return plain;
    said.push({ plain, spoken: spokenMessage(plain, call), call, isShared });
  }
  return said;
}

function agentSpan(said: readonly Said[], { tools }: Branch, agentName: string): Omit<Step, 'name'> {
  const calls = said.flatMap(({ call }) => (call === undefined ? [] : [call]));
  const firstAnswer = said.findIndex(({ call }) => call !== undefined);
  const asked = said.slice(0, firstAnswer).findLast(({ plain }) => plain.role === 'user');
  const answered = said.findLast(({ call }) => call !== undefined)!;
  return {
    times: [calls[0]!.startedAtMs, Math.max(...calls.map(endOf))],
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': agentName,
      'gen_ai.input.messages': JSON.stringify(asked === undefined ? [] : [asked.spoken]),
      'gen_ai.output.messages': JSON.stringify([answered.spoken]),
      ...(tools.length > 0 && { 'gen_ai.tool.definitions': JSON.stringify(tools) }),
    },
  };
}

/** The calls of the model and of tools that no earlier branch has, in their order. */
function stepSpans(said: readonly Said[], { tools }: Branch): Step[] {
  const asked = new Map<
    string,
    { name: string; written: string; call: ModelCallRecord | undefined; isShared: boolean }
  >();
  return said.flatMap(({ plain, spoken, call, isShared }, place) => {
    for (const { id, name, argumentsText: written } of plain.toolCalls)
      asked.set(id, { name, written, call, isShared });
    if (plain.role === 'tool') {
      const asking = asked.get(plain.toolCallId ?? '');
      if (asking?.call === undefined || asking.isShared) return [];
      const next = said.slice(place).find((later) => later.call !== undefined)?.call;
      return [toolStep(plain, asking.name, asking.written, endOf(asking.call), next?.startedAtMs)];
    }
    if (call === undefined || isShared) return [];
    return [chatStep(call, said.slice(0, place), spoken, tools)];
  });
}

function toolStep(
  { text, toolCallId }: PlainMessage,
  name: string,
  written: string,
  startMs: number,
  nextMs = startMs,
): Step {
  return {
    name: `execute_tool ${name}`,
    times: [startMs, Math.max(startMs, nextMs)],
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': name,
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': toolCallId ?? '',
      'gen_ai.tool.call.arguments': written,
      'gen_ai.tool.call.result': text,
    },
  };
}

function chatStep(
  call: ModelCallRecord,
  before: readonly Said[],
  answer: SpokenMessage,
  tools: readonly JsonObject[],
): Step {
  const { model, promptTokens, completionTokens, finishReason } = call;
  return {
    name: `chat ${model}`,
    times: [call.startedAtMs, endOf(call)],
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': model,
      'gen_ai.usage.input_tokens': promptTokens,
      'gen_ai.usage.output_tokens': completionTokens,
      ...(finishReason !== null && { 'gen_ai.response.finish_reasons': [finishReason] }),
      'gen_ai.input.messages': JSON.stringify(before.map(({ spoken }) => spoken)),
      'gen_ai.output.messages': JSON.stringify([answer]),
      ...(tools.length > 0 && { 'gen_ai.tool.definitions': JSON.stringify(tools) }),
    },
  };
}

function spokenMessage(
  { role, text, reasoning, toolCalls, toolCallId }: PlainMessage,
  call: ModelCallRecord | undefined,
): SpokenMessage {
  if (role === 'tool')
    return { role, parts: [{ type: 'tool_call_response', id: toolCallId ?? '', response: text }] };
  const parts = [
    ...(reasoning === undefined ? [] : [{ type: 'reasoning', content: reasoning }]),
    ...(text === '' ? [] : [{ type: 'text', content: text }]),
    ...toolCalls.map(({ id, name, arguments: given }) => ({ type: 'tool_call', id, name, arguments: given })),
  ];
  return { role, parts, ...(call !== undefined && { finish_reason: call.finishReason ?? 'stop' }) };
}

function endOf({ startedAtMs, latencyMs }: ModelCallRecord): number {
  return startedAtMs + latencyMs;
}

function digest(text: string, length: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, length);
}
