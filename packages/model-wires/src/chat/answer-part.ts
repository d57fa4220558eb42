import type { ChatSpeech } from './chat-reply.ts';

/** What kind of thing the model said. */
export type AnswerPartKind = 'reasoning' | 'text' | 'refusal' | 'call';

/** One piece of a whole answer, in the order in which models produce them. */
export type AnswerPart =
  | { kind: 'reasoning' | 'refusal'; text: string }
  | { kind: 'text'; text: string; logprobs: string | undefined }
  | { kind: 'call'; callId: string; name: string; text: string };

/** The pieces of a whole answer. A call without an id gets one. */
export function answerParts(speech: ChatSpeech, newId: () => string): AnswerPart[] {
  const parts: AnswerPart[] = [];
  if (speech.reasoning !== '') parts.push({ kind: 'reasoning', text: speech.reasoning });
  if (speech.text !== '') parts.push({ kind: 'text', text: speech.text, logprobs: speech.logprobs });
  if (speech.refusal !== '') parts.push({ kind: 'refusal', text: speech.refusal });
  for (const call of speech.toolCalls) {
    parts.push({
      kind: 'call',
      callId: call.id ?? `call_${newId()}`,
      name: call.name ?? '',
      text: call.arguments,
    });
  }
  return parts;
}
