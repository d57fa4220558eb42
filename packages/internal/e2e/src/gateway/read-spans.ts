import type { JsonObject } from '@art/ground';

/** A trace, as a reader of spans finds it. */
export interface ReadTrace {
  agents: { asked: string; answered: string; below: string | null; tools: string[] }[];
  tools: { name: string; arguments: unknown; result: string; of: string }[];
  /** For each call of the model its messages and its answer. */
  chats: string[][];
}

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: Record<string, string>;
}

interface Part {
  type: string;
  content: string;
  name: string;
  response: string;
}

/** Reads spans as AWS's evaluators do. */
export function readSpans(spans: readonly JsonObject[]): ReadTrace[] {
  const byTrace = Map.groupBy(spans as readonly object[] as readonly Span[], ({ traceId }) => traceId);
  return Array.from(byTrace.values(), readTrace);
}

function readTrace(spans: readonly Span[]): ReadTrace {
  const ofKind = (operation: string): Span[] =>
    spans.filter(({ attributes }) => attributes['gen_ai.operation.name'] === operation);
  const agents = ofKind('invoke_agent').map((span) => ({
    id: span.spanId,
    parent: span.parentSpanId,
    asked: firstText(span, 'input'),
    answered: firstText(span, 'output'),
    tools: definitions(span),
  }));
  const askedOf = (id: string | undefined): string | null =>
    agents.find((agent) => agent.id === id)?.asked ?? null;
  const calledTools = ofKind('execute_tool').map(({ parentSpanId, attributes }) => ({
    name: attributes['gen_ai.tool.name']!,
    arguments: JSON.parse(attributes['gen_ai.tool.call.arguments']!) as unknown,
    result: attributes['gen_ai.tool.call.result']!,
    of: askedOf(parentSpanId)!,
    agent: parentSpanId,
  }));
  return {
    agents: agents.map(({ id, parent, asked, answered, tools }) => ({
      asked,
      answered,
      below: askedOf(parent),
      // An agent without definitions has the tools that it called.
      tools: tools.length > 0 ? tools : namesOnce(calledTools.filter(({ agent }) => agent === id)),
    })),
    tools: calledTools.map(({ name, arguments: given, result, of: agent }) => ({
      name,
      arguments: given,
      result,
      of: agent,
    })),
    chats: ofKind('chat').map((span) =>
      [...messages(span, 'input'), ...messages(span, 'output')]
        .filter(({ role }) => role !== 'system')
        .map(({ role, parts }) => `${role === 'tool' ? 'user' : role}: ${parts.map(said).join(' ')}`),
    ),
  };
}

function messages({ attributes }: Span, side: 'input' | 'output'): { role: string; parts: Part[] }[] {
  return JSON.parse(attributes[`gen_ai.${side}.messages`]!) as { role: string; parts: Part[] }[];
}

function said({ type, content, name, response }: Part): string {
  return type === 'tool_call' ? name : type === 'tool_call_response' ? response : content;
}

function firstText(span: Span, side: 'input' | 'output'): string {
  return messages(span, side)[0]?.parts.find(({ type }) => type === 'text')?.content ?? '';
}

function definitions({ attributes }: Span): string[] {
  const defined = JSON.parse(attributes['gen_ai.tool.definitions'] ?? '[]') as { function: Part }[];
  return defined.map((tool) => tool.function.name);
}

function namesOnce(tools: readonly { name: string }[]): string[] {
  return [...new Set(tools.map(({ name }) => name))];
}
