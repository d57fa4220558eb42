/** An independent reading of an agent's side: what a stream of chat or completion chunks comes to. */

type Fields = Map<string, unknown>;

/** The data of each event, read line by line as the HTML standard has it; `[DONE]` is left out. */
export function dataOf(stream: string): string[] {
  const events: string[] = [];
  let data: string[] = [];
  for (const line of stream.replace(/^\ufeff/, '').split(/\r\n|\n|\r/)) {
    if (line === '') {
      if (data.length > 0) events.push(data.join('\n'));
      data = [];
    } else if (line.startsWith('data:')) data.push(line.slice(line.startsWith('data: ') ? 6 : 5));
  }
  return events.filter((text) => text !== '[DONE]');
}

interface Chunk {
  choices?: { index: number | null; delta?: Record<string, unknown>; text?: string }[];
}

/** The message of a choice: texts joined, tool calls by their index, of anything else the last. */
export function messageIn(events: readonly string[], index: number): Fields {
  const message: Fields = new Map([
    ['role', 'assistant'],
    ['content', null],
  ]);
  const calls: Fields[] = [];
  for (const event of events) {
    for (const choice of (JSON.parse(event) as Chunk).choices ?? []) {
      if ((choice.index ?? 0) !== index) continue;
      const { tool_calls: pieces, ...delta } = choice.delta ?? { content: choice.text };
      addTo(message, delta);
      for (const piece of Array.isArray(pieces) ? pieces : [])
        addCall(calls, piece as Record<string, unknown>);
    }
  }
  if (calls.length > 0) message.set('tool_calls', calls);
  return message;
}

function addCall(calls: Fields[], piece: Record<string, unknown>): void {
  const { index, function: body, ...rest } = piece;
  const call = (calls[Number(index)] ??= new Map<string, unknown>([['function', new Map()]]));
  // An id and a type come whole.
  const isKnown = call.has('id');
  if (!isKnown) for (const name of ['id', 'type']) if (rest[name] !== undefined) call.set(name, rest[name]);
  addTo(call, Object.fromEntries(Object.entries(rest).filter(([name]) => name !== 'id' && name !== 'type')));
  addTo(call.get('function') as Fields, body as Record<string, unknown>);
}

function addTo(fields: Fields, delta: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(delta)) {
    if (value === null || value === undefined) continue;
    const known = fields.get(name);
    if (typeof value !== 'string') {
      if (typeof known !== 'string') fields.set(name, value);
    } else if (name === 'role') fields.set(name, value);
    else fields.set(name, (typeof known === 'string' ? known : '') + value);
  }
}

/** A message that was captured, in the same form. */
export function messageFields(message: string): Fields {
  const fields: Fields = new Map(Object.entries(JSON.parse(message) as object));
  const calls = fields.get('tool_calls');
  if (Array.isArray(calls)) {
    fields.set(
      'tool_calls',
      calls.map((call: Record<string, unknown>) => {
        const entries = new Map(Object.entries(call));
        entries.set('function', new Map(Object.entries(call['function'] as object)));
        return entries;
      }),
    );
  }
  return fields;
}
