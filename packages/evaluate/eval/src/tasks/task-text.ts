const mostCharacters = 200;
/** Where payloads have what the agent is asked, the likeliest first. */
const names = ['prompt', 'question', 'query', 'task', 'instruction', 'input', 'message', 'text', 'problem'];

/** Text by which a person knows a task: the beginning of what the agent is asked, on one line; of another payload its JSON. */
export function taskText(payload: Readonly<Record<string, unknown>>): string {
  const named = names
    .map((name) => payload[name])
    .find((value) => typeof value === 'string' && value.trim() !== '');
  const text =
    (named as string | undefined) ?? lastMessage(payload['messages']) ?? JSON.stringify(payload, plain);
  // Cut before and after, so that a long text costs nothing.
  const line = text
    .slice(0, 4 * mostCharacters)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return line.length > mostCharacters ? `${line.slice(0, mostCharacters)}…` : line;
}

function lastMessage(messages: unknown): string | undefined {
  const last: unknown = Array.isArray(messages) ? messages.at(-1) : undefined;
  const content = typeof last === 'object' && last !== null && 'content' in last ? last.content : undefined;
  return typeof content === 'string' && content.trim() !== '' ? content : undefined;
}

function plain(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
