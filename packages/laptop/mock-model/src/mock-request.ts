import type { IncomingHttpHeaders } from 'node:http';

/** A message of the conversation, the same for every API. */
export interface MockMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  text: string;
  /** Calls of the model; empty but for `assistant`. */
  toolCalls: readonly { id: string; name: string; arguments: string }[];
}

/** Content of a request that a wire reads. */
export interface ReadConversation {
  messages: MockMessage[];
  tools: { name: string; parameters: unknown }[];
}

/** A request to the model, as a script sees it: the same conversation looks the same over every API. */
export interface MockRequest extends ReadConversation {
  wire: 'chat' | 'responses' | 'messages';
  model: string;
  /** The text of the last message by the user. */
  question: string;
  /** Answers of tools since then. */
  toolResults: string[];
  /** How often the model has spoken since then: 0 at its first turn. */
  turn: number;
  temperature: number | undefined;
  seed: number | undefined;
  /** The bearer token or `x-api-key`; rollouts behind a gateway have one each. Empty where there is none. */
  apiKey: string;
  headers: IncomingHttpHeaders;
  /** The request's JSON as it came. */
  body: Readonly<Record<string, unknown>>;
}

/** Adds to a conversation what scripts ask of it. */
export function mockRequest(
  wire: MockRequest['wire'],
  read: ReadConversation,
  body: Record<string, unknown>,
  headers: IncomingHttpHeaders,
): MockRequest {
  const asked = read.messages.findLastIndex((message) => message.role === 'user');
  const since = read.messages.slice(asked + 1);
  const { model, temperature, seed } = body;
  const bearer = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1];
  const key = headers['x-api-key'];
  return {
    ...read,
    wire,
    model: typeof model === 'string' ? model : '',
    question: read.messages[asked]?.text ?? '',
    toolResults: since.filter(({ role }) => role === 'tool').map(({ text }) => text),
    turn: since.filter(({ role }) => role === 'assistant').length,
    temperature: typeof temperature === 'number' ? temperature : undefined,
    seed: typeof seed === 'number' ? seed : undefined,
    apiKey: bearer ?? (typeof key === 'string' ? key : ''),
    headers,
    body,
  };
}
