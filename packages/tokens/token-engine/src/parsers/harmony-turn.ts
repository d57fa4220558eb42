import { endOfJson, jsonArguments, tryLossless } from './json-call.ts';
import type { ParsedToolCall, ParsedTurn } from './parsed-turn.ts';

const headerFormat =
  /^\s*(?:<\|start\|>assistant)?(?:\s*to=[^\s<]+)?\s*<\|channel\|>\s*(?:analysis|commentary|final)(?:\s*to=[^\s<]+)?(?:\s*(?:<\|constrain\|>)?\s*(?:json|code))?\s*$/;

/**
 * The messages of one answer of gpt-oss: `analysis` is reasoning, `final` and what `commentary` says to nobody is content,
 * and a message with a recipient is a call. Format: OpenAI's harmony response format.
 */
export function parseHarmonyTurn(text: string, wantsCalls: boolean): ParsedTurn | undefined {
  const messages = messagesIn(text);
  const reasoning: string[] = [];
  const content: string[] = [];
  const calls: ParsedToolCall[] = [];
  for (const message of messages) {
    if (message.trim() === '') continue;
    const at = message.indexOf('<|message|>');
    if (at < 0) {
      // Without any channel the model just answered.
      if (message.includes('<|')) return undefined;
      content.push(message);
      continue;
    }
    const header = message.slice(0, at);
    const body = message.slice(at + '<|message|>'.length);
    if (!headerFormat.test(header)) return undefined;
    const isJson = endOfJson(body.trim(), 0) === body.trim().length;
    if (!isJson && (body.includes('<|channel|>') || body.includes('<|message|>'))) return undefined;
    const channel = /<\|channel\|>\s*(\w+)/.exec(header)?.[1];
    const recipient = /\bto=([^\s<]+)/.exec(header)?.[1];
    if (recipient !== undefined && wantsCalls) {
      // A tool without parameters may get nothing at all.
      const args = body.trim() === '' ? '{}' : jsonArguments(tryLossless(body.trim()) ?? body);
      if (args === undefined) return undefined;
      calls.push({ name: recipient.replace(/^functions\./, ''), arguments: args });
    } else if (channel === 'analysis') reasoning.push(body);
    else content.push(body);
  }
  return {
    content: content.length === 0 ? null : content.join('\n'),
    reasoning: reasoning.length === 0 ? null : reasoning.join('\n'),
    toolCalls: calls,
    illFormed: false,
  };
}

const terminator = /<\|(?:end|call|return)\|>/g;

/** The text between the marks that end messages; one in the JSON of a call belongs to a text in it. */
function messagesIn(text: string): string[] {
  const messages: string[] = [];
  let at = 0;
  while (at < text.length) {
    terminator.lastIndex = endOfArguments(text, at);
    const end = terminator.exec(text);
    messages.push(text.slice(at, end?.index));
    at = end === null ? text.length : end.index + end[0].length;
  }
  return messages;
}

function endOfArguments(text: string, from: number): number {
  const mark = '<|message|>';
  const start = text.indexOf(mark, from);
  if (start < 0 || !/\bto=/.test(text.slice(from, start))) return from;
  const body = start + mark.length;
  const blanks = /^\s*/.exec(text.slice(body))![0].length;
  return endOfJson(text, body + blanks) ?? from;
}
