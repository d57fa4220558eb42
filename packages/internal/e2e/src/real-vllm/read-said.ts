/** Content of one reply as an agent reads it, whatever wire it speaks and whether it came as a stream. */
export interface Said {
  status: number;
  choices: readonly SaidChoice[];
  /** Body of a refusal. */
  error?: unknown;
}

export interface SaidChoice {
  text: string;
  calls: readonly { name: string; arguments: unknown }[];
  /** As the wire names the end: `finish_reason`, `stop_reason`, `status`. */
  end: string | null;
}

/** @param path of the call, which tells the wire */
export function readSaid(path: string, status: number, body: string): Said {
  if (status !== 200) return { status, choices: [], error: JSON.parse(body) };
  if (path.endsWith('/responses')) return { status, choices: [responses(body)] };
  if (path.endsWith('/messages')) return { status, choices: [messages(body)] };
  return { status, choices: chat(body) };
}

interface ChatPart {
  choices: {
    index: number;
    message?: ChatMessage;
    delta?: ChatMessage;
    text?: string;
    finish_reason: string | null;
  }[];
}

interface ChatMessage {
  content?: string | null;
  tool_calls?: { index?: number; function: { name?: string; arguments?: string } }[] | null;
}

function chat(body: string): SaidChoice[] {
  const parts = eventsOf(body) as ChatPart[];
  const choices = parts.flatMap((part) => part.choices);
  return Array.from({ length: 1 + Math.max(...choices.map(({ index }) => index)) }, (_, index) => {
    const own = choices.filter((choice) => choice.index === index);
    const said = own.map((choice) => choice.message ?? choice.delta ?? { content: choice.text ?? '' });
    const calls: { name: string; arguments: string }[] = [];
    for (const message of said) {
      for (const [at, call] of (message.tool_calls ?? []).entries()) {
        const known = (calls[call.index ?? at] ??= { name: '', arguments: '' });
        known.name += call.function.name ?? '';
        known.arguments += call.function.arguments ?? '';
      }
    }
    return {
      text: said.map(({ content }) => content ?? '').join(''),
      calls: calls.map((call) => ({ ...call, arguments: valueOf(call.arguments) })),
      end: own.find((choice) => choice.finish_reason !== null)?.finish_reason ?? null,
    };
  });
}

interface ResponsesEvent {
  type?: string;
  delta?: string;
  response?: { status: string; output: OutputItem[] };
  status?: string;
  output?: OutputItem[];
}

interface OutputItem {
  type: string;
  content?: { text: string }[];
  name?: string;
  arguments?: string;
}

function responses(body: string): SaidChoice {
  const events = eventsOf(body) as ResponsesEvent[];
  const whole = events.find(({ type = '' }) => /^response\.(completed|incomplete)$/.test(type))?.response;
  const { status, output = [] } = whole ?? events[0]!;
  const ofType = (type: string): OutputItem[] => output.filter((item) => item.type === type);
  const text = ofType('message').flatMap((item) => (item.content ?? []).map((part) => part.text));
  const deltas = events.filter(({ type }) => type === 'response.output_text.delta');
  return {
    // A stream tells its text twice; what came piece by piece is what most agents show.
    text: (whole === undefined ? text : deltas.map(({ delta = '' }) => delta)).join(''),
    calls: ofType('function_call').map((item) => ({
      name: item.name!,
      arguments: valueOf(item.arguments!),
    })),
    end: status ?? null,
  };
}

interface MessagesEvent {
  type?: string;
  index?: number;
  content_block?: MessagesBlock;
  delta?: { text?: string; partial_json?: string; stop_reason?: string };
  content?: MessagesBlock[];
  stop_reason?: string | null;
}

interface MessagesBlock {
  type: string;
  text?: string;
  name?: string;
  input?: unknown;
}

function messages(body: string): SaidChoice {
  const events = eventsOf(body) as MessagesEvent[];
  const [first] = events;
  const blocks = first?.content ?? streamedBlocks(events);
  return {
    text: blocks.map(({ text = '' }) => text).join(''),
    calls: blocks
      .filter(({ type }) => type === 'tool_use')
      .map(({ name, input }) => ({ name: name!, arguments: input })),
    end: first?.stop_reason ?? events.find(({ delta }) => delta?.stop_reason)?.delta?.stop_reason ?? null,
  };
}

function streamedBlocks(events: readonly MessagesEvent[]): MessagesBlock[] {
  const blocks: MessagesBlock[] = [];
  const json: string[] = [];
  for (const { type, index = 0, content_block: block, delta } of events) {
    if (type === 'content_block_start') blocks[index] = { ...block! };
    if (type !== 'content_block_delta') continue;
    const known = blocks[index]!;
    if (delta?.text !== undefined) known.text = `${known.text ?? ''}${delta.text}`;
    json[index] = `${json[index] ?? ''}${delta?.partial_json ?? ''}`;
  }
  return blocks.map((block, at) =>
    block.type === 'tool_use' ? { ...block, input: valueOf(json[at] ?? '') } : block,
  );
}

function eventsOf(body: string): unknown[] {
  if (!/^(data|event):/.test(body)) return [JSON.parse(body)];
  return body
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice('data: '.length)) as unknown);
}

function valueOf(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return json;
  }
}
