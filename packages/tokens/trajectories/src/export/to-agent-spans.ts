import { createHash } from 'node:crypto';
import { type JsonObject, stringifyJson } from '@art/ground';
import type { ModelCallRecord } from '../conversation/conversation.ts';
import type { RecordedRollout } from '../records/rollout-record.ts';
import { conversationTurns, type TurnStep, type UserTurn } from './conversation-turns.ts';
import type { MessageProblem, PlainMessage } from './plain-message.ts';

/** The part of a rollout that its spans are made of. */
export type SpokenRollout = Pick<RecordedRollout, 'id' | 'sessionId' | 'conversation'>;

/** A message as the semantic conventions of OpenTelemetry write one: a role, and parts with types. */
interface SpokenMessage extends JsonObject {
  role: string;
  parts: JsonObject[];
}

// One of the scopes whose spans AgentCore Evaluations reads; spans of this one keep texts in the attributes of the conventions.
// https://docs.aws.amazon.com/bedrock-agentcore/latest/devguide/supported-frameworks-openai-agents.html
const scope = { name: 'opentelemetry.instrumentation.openai_agents', version: '' };

/**
 * The spans of a rollout with its texts, as CloudWatch keeps spans of OpenTelemetry: `invoke_agent` for each turn of its conversations,
 * with a `chat` for each call of the model and an `execute_tool` for each call of a tool that has a result. A turn is a trace; a turn that
 * begins while another one runs is that of a sub-agent, and in its trace. Ids are made of those of the rollout and its session: the same
 * rollout always has the same.
 * @param rollout with a conversation of one call or more
 * @param agentName `gen_ai.agent.name` of the spans
 */
export function toAgentSpans(rollout: SpokenRollout, agentName = 'agent'): JsonObject[] | MessageProblem {
  const turns = conversationTurns(rollout.conversation!);
  if (typeof turns === 'string') return turns;
  const spans: JsonObject[] = [];
  const sessionId = rollout.sessionId ?? rollout.id;
  // Two runs of the same tasks have rollouts with the same id.
  const seed = `${sessionId} ${rollout.id}`;
  let traceId = '';
  const add = ({ name, times: [startMs, endMs], attributes }: Step, parentSpanId?: string): string => {
    const spanId = digest(`${seed} ${spans.length}`, 16);
    if (parentSpanId === undefined) traceId = digest(`${seed} trace ${spans.length}`, 32);
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
        'session.id': sessionId,
        'gen_ai.conversation.id': sessionId,
        ...attributes,
      },
      status: { code: 'UNSET' },
    });
    return spanId;
  };
  const addTurn = (turn: UserTurn, parentSpanId?: string): string => {
    const agentId = add(agentStep(turn, agentName), parentSpanId);
    for (const step of turn.steps.flatMap((of) => [chatStep(of), ...toolSteps(of)])) add(step, agentId);
    return agentId;
  };
  for (const [root, below] of underRoots(turns)) {
    const rootId = addTurn(root);
    for (const turn of below) addTurn(turn, rootId);
  }
  return spans;
}

interface Step {
  name: string;
  times: readonly [number, number];
  attributes: JsonObject;
}

/** Each turn that begins while no other one runs, with those that do. */
function underRoots(turns: readonly UserTurn[]): Map<UserTurn, UserTurn[]> {
  const below = new Map<UserTurn, UserTurn[]>();
  for (const turn of turns) {
    const root = [...below.keys()].find(({ endMs }) => turn.startMs < endMs);
    if (root === undefined) below.set(turn, []);
    else below.get(root)!.push(turn);
  }
  return below;
}

function agentStep({ steps, startMs, endMs }: UserTurn, agentName: string): Step {
  const asked = steps[0]!.prompt.findLast(({ role }) => role === 'user');
  const { answer, call } = steps.at(-1)!;
  return {
    name: `invoke_agent ${agentName}`,
    times: [startMs, endMs],
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': agentName,
      'gen_ai.input.messages': JSON.stringify(asked === undefined ? [] : [spokenMessage(asked)]),
      'gen_ai.output.messages': JSON.stringify([spokenMessage(answer, call)]),
      ...toolDefinitions(call),
    },
  };
}

function toolSteps({ call, answer, results, resultsSeenAtMs }: TurnStep): Step[] {
  const startMs = endOf(call);
  return answer.toolCalls.flatMap(({ id, name, argumentsText }, at) => {
    const result = results[at];
    if (result === undefined) return [];
    return {
      name: `execute_tool ${name}`,
      times: [startMs, Math.max(startMs, resultsSeenAtMs ?? startMs)],
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': name,
        'gen_ai.tool.type': 'function',
        'gen_ai.tool.call.id': id,
        'gen_ai.tool.call.arguments': argumentsText,
        'gen_ai.tool.call.result': result.text,
      },
    };
  });
}

function chatStep({ call, prompt, answer }: TurnStep): Step {
  const { model, promptTokens, completionTokens, finishReason } = call;
  return {
    name: `chat ${model}`,
    times: [call.startedAtMs, endOf(call)],
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': model,
      ...(promptTokens !== null && { 'gen_ai.usage.input_tokens': promptTokens }),
      ...(completionTokens !== null && { 'gen_ai.usage.output_tokens': completionTokens }),
      ...(finishReason !== null && { 'gen_ai.response.finish_reasons': [finishReason] }),
      'gen_ai.input.messages': JSON.stringify(prompt.map((message) => spokenMessage(message))),
      'gen_ai.output.messages': JSON.stringify([spokenMessage(answer, call)]),
      ...toolDefinitions(call),
    },
  };
}

function toolDefinitions({ tools }: ModelCallRecord): JsonObject {
  return tools.length === 0 ? {} : { 'gen_ai.tool.definitions': stringifyJson(tools) };
}

function spokenMessage(
  { role, texts, text, reasoning, toolCalls, toolCallId }: PlainMessage,
  call?: ModelCallRecord,
): SpokenMessage {
  if (role === 'tool')
    return { role, parts: [{ type: 'tool_call_response', id: toolCallId ?? '', response: text }] };
  const parts = [
    ...(reasoning === undefined ? [] : [{ type: 'reasoning', content: reasoning }]),
    ...texts.filter((part) => part !== '').map((content) => ({ type: 'text', content })),
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
