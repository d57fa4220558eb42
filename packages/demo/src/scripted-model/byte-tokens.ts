import { type ChatMessage, type ChatRequest, messageText } from './chat-request.ts';

// Behind the 256 bytes of UTF-8, which are tokens of their own.
const turnStart = 256;
const turnEnd = 257;
const callStart = 258;

/** What the model says, or said. */
export interface SaidTokens {
  content: string;
  calls: readonly { name: string; arguments: string }[];
}

/**
 * The conversation as token ids, up to where the model goes on: a token for each byte, and some that mark turns and calls.
 * What the model said earlier has the ids that it had then, so each prompt goes on from the turn before.
 */
export function promptTokens({ messages, tools }: ChatRequest): number[] {
  const opening = tools === undefined ? [] : turn('tools', textTokens(JSON.stringify(tools)));
  return [
    ...opening,
    ...messages.flatMap((message) => turn(message.role, messageTokens(message))),
    ...turnHead('assistant'),
  ];
}

/** What the model says, as token ids; the last one ends its turn. */
export function replyTokens({ content, calls }: SaidTokens): number[] {
  return [...textTokens(content), ...calls.flatMap((call) => callTokens(call)), turnEnd];
}

/** The part of a reply in which the model names a tool and gives it arguments. */
export function callTokens(call: { name: string; arguments: string }): number[] {
  return [callStart, ...textTokens(`${call.name}\n${call.arguments}`)];
}

export function textTokens(text: string): number[] {
  return [...Buffer.from(text)];
}

/** The token that ends a turn. */
export const endTokens: readonly number[] = [turnEnd];

/** The text of a token; marks have a name in angle brackets. */
export function tokenText(id: number): string {
  return ['<turn>', '<end>', '<call>'][id - turnStart] ?? Buffer.from([id]).toString('latin1');
}

/** Made up, as a script has no probabilities: always the same for a token at its place, so that a mix-up shows. */
export function tokenLogprob(id: number, place: number): number {
  return -(1 + ((id * 31 + place * 17) % 997)) / 1_000;
}

function messageTokens(message: ChatMessage): number[] {
  const content = messageText(message);
  if (message.role !== 'assistant') return textTokens(content);
  const calls = (message.tool_calls ?? []).map((call) => call.function);
  return replyTokens({ content, calls }).slice(0, -1);
}

function turn(role: string, tokens: readonly number[]): number[] {
  return [...turnHead(role), ...tokens, turnEnd];
}

function turnHead(role: string): number[] {
  return [turnStart, ...textTokens(`${role}\n`)];
}
