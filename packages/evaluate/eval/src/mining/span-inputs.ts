import { isJsonObject, jsonIn, readMember } from '@art/ground';

interface Call {
  startedAt: bigint;
  /** True for a call of an agent, which says better what it was asked than its first call of a model. */
  isAgent: boolean;
  messages: Message[];
}

interface Message {
  role: string;
  content: string;
}

/**
 * The inputs of agents, by OTLP's JSON of their spans: the earliest `gen_ai.input.messages` of each trace, of `invoke_agent` where that has them. A
 * conversation of several messages is also `messages`, without the system's.
 * @param values objects of `resourceSpans`, one or several
 * @returns a payload for each trace; undefined for one without texts, which are opt-in for those who send spans
 */
export function spanInputs(
  values: Iterable<unknown>,
): ({ prompt: string; messages?: Message[] } | undefined)[] {
  const traces = new Map<string, Call[]>();
  for (const value of values)
    for (const resource of listOf(value, 'resourceSpans'))
      for (const scope of listOf(resource, 'scopeSpans'))
        for (const span of listOf(scope, 'spans')) {
          const trace = String(readMember(span, 'traceId'));
          const call = callOf(span);
          traces.set(trace, [...(traces.get(trace) ?? []), ...(call === undefined ? [] : [call])]);
        }
  return [...traces.values()].map((calls) => {
    const [first] = calls.toSorted((one, other) =>
      one.isAgent === other.isAgent ? Number(one.startedAt - other.startedAt) : one.isAgent ? -1 : 1,
    );
    const messages = first?.messages.filter(({ role }) => role === 'user' || role === 'assistant') ?? [];
    const prompt = messages.findLast(({ role }) => role === 'user')?.content;
    return prompt === undefined ? undefined : { prompt, ...(messages.length > 1 && { messages }) };
  });
}

function callOf(span: unknown): Call | undefined {
  const attributes = attributesOf(span);
  const sources = [attributes, ...listOf(span, 'events').map(attributesOf)];
  const given = sources
    .map((source) => source.get('gen_ai.input.messages'))
    .find((found) => found !== undefined);
  const list = typeof given === 'string' ? jsonIn(given) : given;
  const messages = (Array.isArray(list) ? (list as unknown[]) : []).flatMap(messageOf);
  if (messages.length === 0) return undefined;
  const started = readMember(span, 'startTimeUnixNano');
  return {
    startedAt:
      typeof started === 'bigint' || /^\d+$/.test(started as string) ? BigInt(started as string) : 0n,
    isAgent: attributes.get('gen_ai.operation.name') === 'invoke_agent',
    messages,
  };
}

function messageOf(message: unknown): Message[] {
  const parts = readMember(message, 'parts') ?? readMember(message, 'content');
  const texts = (Array.isArray(parts) ? parts : [parts]).map((part) =>
    typeof part === 'string' ? part : (readMember(part, 'content') ?? readMember(part, 'text')),
  );
  const content = texts.filter((text) => typeof text === 'string').join('\n');
  return content.trim() === '' ? [] : [{ role: String(readMember(message, 'role')), content }];
}

function attributesOf(holder: unknown): Map<unknown, unknown> {
  return new Map(
    listOf(holder, 'attributes').map((attribute) => [
      readMember(attribute, 'key'),
      plainValue(readMember(attribute, 'value')),
    ]),
  );
}

/** A value of OTLP: `{ stringValue }`, or lists and maps of such. */
function plainValue(value: unknown): unknown {
  if (!isJsonObject(value)) return undefined;
  if ('arrayValue' in value) return listOf(value['arrayValue'], 'values').map(plainValue);
  if ('kvlistValue' in value)
    return Object.fromEntries(
      listOf(value['kvlistValue'], 'values').map((pair) => [
        String(readMember(pair, 'key')),
        plainValue(readMember(pair, 'value')),
      ]),
    );
  return Object.values(value)[0];
}

function listOf(holder: unknown, name: string): unknown[] {
  const list = readMember(holder, name);
  return Array.isArray(list) ? list : [];
}
