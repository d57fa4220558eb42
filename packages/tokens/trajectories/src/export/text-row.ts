import type { JsonObject } from '@art/ground';
import type { Conversation } from '../conversation/conversation.ts';
import { type Branch, conversationBranches } from './conversation-branches.ts';
import { type MessageProblem, type PlainMessage, plainMessage } from './plain-message.ts';

/** A message of a row. */
export interface RowMessage extends PlainMessage {
  /** Where it is to be learnt: answers that the model gave in this rollout in one row each, everything else nowhere. */
  taught: 'here' | 'elsewhere' | 'nowhere';
}

/** A conversation to fine-tune on. It ends with an answer. */
export interface TextRow {
  messages: RowMessage[];
  tools: JsonObject[];
}

/** A row for each branch of a conversation: the whole of it. */
export function branchRows(conversation: Conversation): (TextRow | MessageProblem)[] {
  return conversationBranches(conversation).map(branchRow);
}

export function branchRow({ messages, tools }: Branch): TextRow | MessageProblem {
  return rowOf(
    messages.map(({ message, call, isShared }) => ({
      message,
      taught: call === undefined ? 'nowhere' : isShared ? 'elsewhere' : 'here',
    })),
    tools,
  );
}

/** A row for each call of the model: what it was asked, to the letter, and what it answered, which alone trains. */
export function callRows({ messages, calls }: Conversation): (TextRow | MessageProblem)[] {
  return calls.map(({ prompt, answer, tools }) =>
    rowOf(
      [
        ...prompt.map((index) => ({ message: messages[index]!, taught: 'nowhere' as const })),
        { message: messages[answer]!, taught: 'here' as const },
      ],
      tools as JsonObject[],
    ),
  );
}

function rowOf(
  messages: readonly ({ message: JsonObject } & Pick<RowMessage, 'taught'>)[],
  tools: JsonObject[],
): TextRow | MessageProblem {
  const row: RowMessage[] = [];
  for (const { message, taught } of messages) {
    const plain = plainMessage(message);
    if (typeof plain === 'string') return plain;
    row.push({ ...plain, taught });
  }
  return { messages: row, tools };
}
