import { answerParts, type AnswerPart } from '../chat/answer-part.ts';
import type { WholeReply } from '../chat/chat-reply.ts';
import { outputItemId, writeOutputItem, type OutputItem } from './output-item.ts';
import { responseState, writeResponseObject, type ResponseContext } from './response-object.ts';

/** Writes a whole chat reply as a response, and has its items remembered. */
export function writeResponsesReply(reply: WholeReply, context: ResponseContext): string {
  const state = responseState(reply.finishReason);
  const parts = answerParts(reply.speech, context.newId);
  const output = parts.map((part, index) => {
    const item = outputItem(part);
    // What came last is what the limit cut off.
    const isCut = state.status !== 'completed' && index === parts.length - 1;
    const text = writeOutputItem(context, item, index, isCut ? 'incomplete' : 'completed');
    context.items?.remember(outputItemId(context, item, index), text);
    return text;
  });
  return writeResponseObject(context, state, output, reply);
}

function outputItem(part: AnswerPart): OutputItem {
  switch (part.kind) {
    case 'reasoning':
      return { type: 'reasoning', text: part.text };
    case 'text':
      return { type: 'message', part: 'text', text: part.text, logprobs: part.logprobs };
    case 'refusal':
      return { type: 'message', part: 'refusal', text: part.text, logprobs: undefined };
    case 'call':
      return { type: 'function_call', callId: part.callId, name: part.name, text: part.text };
  }
}
