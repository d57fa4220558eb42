import type { MockMessage, ReadConversation } from '../mock-request.ts';
import type { SaidPart } from '../said-parts.ts';

// Behind the 256 bytes of UTF-8, which are their own tokens.
const turnStart = 256;
const turnEnd = 257;
const callStart = 258;
const reasoningEnd = 259;
const markNames = ['<turn>', '<end>', '<call>', '</think>'];

/**
 * The conversation as token ids, up to where the model continues: a token for each byte, and some that mark turns and calls.
 * What the model said earlier has the ids that it had then, so each prompt continues from the turn before; reasoning alone
 * is left out, as chat templates do.
 */
export function bytePromptTokens({ messages, tools }: ReadConversation): number[] {
  const opening = tools.length === 0 ? [] : turn('tools', textTokens(JSON.stringify(tools)));
  return [...opening, ...messages.flatMap(messageTokens), ...turnHead('assistant')];
}

/** A part of what the model says, as token ids. */
export function partTokens(part: SaidPart): number[] {
  switch (part.kind) {
    case 'text':
    case 'call_arguments':
    case 'reasoning':
      return textTokens(part.text);
    case 'reasoning_end':
      return [reasoningEnd];
    case 'call_name':
      return callTokens(part.name);
    case 'end':
      return [turnEnd];
  }
}

/** The text of a token; marks have a name in angle brackets. */
export function tokenText(id: number): string {
  return markNames[id - turnStart] ?? Buffer.from([id]).toString('latin1');
}

/** Made up, as a script has no probabilities: always the same for a token at its place, so that a mix-up shows. */
export function tokenLogprob(id: number, place: number): number {
  return -(1 + ((id * 31 + place * 17) % 997)) / 1_000;
}

function messageTokens({ role, text, toolCalls }: MockMessage): number[] {
  const calls = toolCalls.flatMap((call) => [...callTokens(call.name), ...textTokens(call.arguments)]);
  return turn(role, [...textTokens(text), ...calls]);
}

function callTokens(name: string): number[] {
  return [callStart, ...textTokens(`${name}\n`)];
}

function turn(role: string, tokens: readonly number[]): number[] {
  return [...turnHead(role), ...tokens, turnEnd];
}

function turnHead(role: string): number[] {
  return [turnStart, ...textTokens(`${role}\n`)];
}

function textTokens(text: string): number[] {
  return [...Buffer.from(text)];
}
