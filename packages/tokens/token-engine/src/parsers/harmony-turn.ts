import { jsonArguments, tryLossless } from './json-call.ts';
import type { ParsedToolCall, ParsedTurn } from './parsed-turn.ts';

const headerFormat =
  /^\s*(?:<\|start\|>assistant)?(?:\s*to=[^\s<]+)?\s*<\|channel\|>\s*(?:analysis|commentary|final)(?:\s*to=[^\s<]+)?(?:\s*(?:<\|constrain\|>)?\s*(?:json|code))?\s*$/;

/**
 * The messages of one answer of gpt-oss: `analysis` is reasoning, `final` and what `commentary` says to nobody is content,
 * and a message with a recipient is a call. Format: OpenAI's harmony response format.
 */
export function parseHarmonyTurn(text: string, wantsCalls: boolean): ParsedTurn | undefined {
  const messages = text.split(/<\|end\|>|<\|call\|>|<\|return\|>/);
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
    if (body.includes('<|channel|>') || body.includes('<|message|>')) return undefined;
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
