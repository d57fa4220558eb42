import type { Exchange } from '@art/tooling/vllm-recording';

/** What an answer looks like apart from its values. */
export interface EngineShape {
  status: number;
  /** In the order in which they were sent, but for those of the connection. */
  headers: readonly string[];
  /** `whole`, or how a stream is framed. */
  framing: 'whole' | 'events';
  /** Each kind of body, or of event, once, in the order in which they first came. */
  bodies: readonly string[];
}

export function engineShape({ status, headers, pieces }: Exchange): EngineShape {
  const text = pieces.join('');
  const isStream = text.startsWith('data: ');
  const bodies = isStream ? text.split('\n\n').filter((event) => event !== '') : [text];
  return {
    status,
    headers: headers.map(([name, value]) => (name === 'content-type' ? `${name}: ${value}` : name)),
    framing: isStream ? 'events' : 'whole',
    bodies: [...new Set(bodies.map(bodyShape))],
  };
}

function bodyShape(text: string): string {
  const json = text.replace(/^data: /, '');
  try {
    return jsonShape(JSON.parse(json) as unknown);
  } catch {
    return json;
  }
}

/** Members in their order, with types for values; members of lists that are alike stand once. */
export function jsonShape(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `[${[...new Set(value.map(jsonShape))].join(' | ')}]`;
  if (typeof value !== 'object') return typeof value;
  // The texts of tokens are the names of these members.
  const entries = Object.entries(value);
  return `{${entries.map(([name, member]) => `${name}: ${jsonShape(member)}`).join(', ')}}`;
}
