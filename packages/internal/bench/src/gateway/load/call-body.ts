import { modelName, type CallModel } from '../engine/call-model.ts';
import { givenText, sampledText } from '../engine/conversation.ts';
import type { SampleText } from '../engine/sample-text.ts';

const bytesPerToken = 4;

/** An agent's body for a single call: a system prompt and a question that make up the tokens of the prompt. */
export function singleCallBody(model: Exclude<CallModel, { kind: 'turn' }>, text: SampleText): Buffer {
  const bytes = model.promptTokens * bytesPerToken;
  const question = text.piece(11, Math.floor(bytes / 2));
  return Buffer.concat([
    Buffer.from(
      `{"model":"${modelName(model)}","temperature":1.0,"max_tokens":4096,${model.kind === 'stream' ? '"stream":true,' : ''}"messages":[{"role":"system","content":"`,
    ),
    text.piece(13, bytes - question.length),
    Buffer.from('"},{"role":"user","content":"'),
    question,
    Buffer.from('"}]}'),
  ]);
}

/** An agent's body in a turn of a conversation: everything that was said until then. */
export function turnBody(conversation: number, turn: number, text: SampleText): Buffer {
  const name = modelName({ kind: 'turn', conversation, turn });
  const parts: Buffer[] = [Buffer.from(`{"model":"${name}","temperature":1.0,"messages":[`)];
  for (let index = 0; index <= turn; index += 1) {
    parts.push(userStart, givenText(text, conversation, index));
    if (index < turn) parts.push(assistantStart, sampledText(text, conversation, index), messageEnd);
  }
  parts.push(bodyEnd);
  return Buffer.concat(parts);
}

const userStart = Buffer.from('{"role":"user","content":"');
const assistantStart = Buffer.from('"},{"role":"assistant","content":"');
const messageEnd = Buffer.from('"},');
const bodyEnd = Buffer.from('"}]}');
