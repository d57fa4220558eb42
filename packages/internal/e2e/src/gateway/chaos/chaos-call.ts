import { rawText, type SampledChoice } from '../engine/sampled-answer.ts';

export const callWires = ['chat', 'completions', 'messages', 'responses'] as const;
export type CallWire = (typeof callWires)[number];

/** One call of an agent. */
export interface ChaosCall {
  wire: CallWire;
  stream: boolean;
  /** More than one on the chat and completions wires only. */
  choices: number;
}

interface WireShape {
  path: string;
  body(conversation: readonly string[]): object;
  /** The event or line that a stream ends with. */
  end: RegExp;
  /** The text of each choice of a whole reply. */
  texts(reply: never): string[];
  /** Text that an event adds, and to which choice. */
  delta(event: never): { index: number; text: string } | undefined;
  /** Text that the agent has to see of a choice. */
  expected(choice: SampledChoice): string;
}

const roleOf = (at: number): 'user' | 'assistant' => (at % 2 === 0 ? 'user' : 'assistant');
const messagesOf = (conversation: readonly string[]): object[] =>
  conversation.map((content, at) => ({ role: roleOf(at), content }));
const contentOf = (choice: SampledChoice): string => choice.answer.content ?? '';

interface ChatReply {
  choices: { index: number; message: { content: string } }[];
}
interface ChatEvent {
  choices: { index: number; delta: { content?: string } }[];
}
interface CompletionReply {
  choices: { index: number; text: string }[];
}
interface MessagesReply {
  content: { type: string; text?: string }[];
}
interface MessagesEvent {
  type: string;
  delta?: { type?: string; text?: string };
}
interface ResponsesReply {
  output: { type: string; content?: { text: string }[] }[];
}
interface ResponsesEvent {
  type: string;
  delta?: string;
}

/** How each wire asks and answers. */
export const wireShapes: Readonly<Record<CallWire, WireShape>> = {
  chat: {
    path: '/v1/chat/completions',
    body: (conversation) => ({ messages: messagesOf(conversation) }),
    end: /^data: \[DONE\]$/m,
    texts: (reply: ChatReply) => reply.choices.map((choice) => choice.message.content),
    delta({ choices: [choice] }: ChatEvent) {
      return choice?.delta.content === undefined
        ? undefined
        : { index: choice.index, text: choice.delta.content };
    },
    expected: contentOf,
  },
  completions: {
    path: '/v1/completions',
    body: (conversation) => ({ prompt: conversation.join('\n') }),
    end: /^data: \[DONE\]$/m,
    texts: (reply: CompletionReply) => reply.choices.map((choice) => choice.text),
    delta({ choices: [choice] }: CompletionReply) {
      return choice === undefined ? undefined : { index: choice.index, text: choice.text };
    },
    expected: rawText,
  },
  messages: {
    path: '/v1/messages',
    body: (conversation) => ({ max_tokens: 1_000, messages: messagesOf(conversation) }),
    end: /^event: message_stop$/m,
    texts: (reply: MessagesReply) => [reply.content.map((block) => block.text ?? '').join('')],
    delta: ({ type, delta }: MessagesEvent) =>
      type === 'content_block_delta' && delta?.type === 'text_delta'
        ? { index: 0, text: delta.text ?? '' }
        : undefined,
    expected: contentOf,
  },
  responses: {
    path: '/v1/responses',
    body: (conversation) => ({ input: messagesOf(conversation) }),
    // An answer that was cut for its length is told by another event.
    end: /^event: response\.(completed|incomplete)$/m,
    texts: (reply: ResponsesReply) => [
      reply.output
        .filter((item) => item.type === 'message')
        .flatMap((item) => item.content ?? [])
        .map((part) => part.text)
        .join(''),
    ],
    delta: ({ type, delta }: ResponsesEvent) =>
      type === 'response.output_text.delta' ? { index: 0, text: delta ?? '' } : undefined,
    expected: contentOf,
  },
};

/** The request of a call. */
export function requestOf(call: ChaosCall, conversation: readonly string[]): { path: string; body: string } {
  const shape = wireShapes[call.wire];
  const body = {
    model: 'mock-model',
    ...shape.body(conversation),
    stream: call.stream,
    ...(call.choices > 1 && { n: call.choices }),
  };
  return { path: shape.path, body: JSON.stringify(body) };
}

/** The text of each choice, if this is the whole of a good reply. */
export function completeTexts(call: ChaosCall, received: string): string[] | undefined {
  const shape = wireShapes[call.wire];
  if (!call.stream) {
    const reply = tryJson(received);
    return reply === undefined ? undefined : shape.texts(reply as never);
  }
  if (!shape.end.test(received)) return undefined;
  const texts: string[] = Array.from({ length: call.choices }, () => '');
  for (const [, data] of received.matchAll(/^data: (\{.*)$/gm)) {
    const delta = shape.delta(JSON.parse(data!) as never);
    if (delta !== undefined) texts[delta.index] += delta.text;
  }
  return texts;
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
