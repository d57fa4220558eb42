import { stringifyJson, type JsonObject } from '@art/ground';
import type { Conversation, ModelCallRecord } from '../conversation/conversation.ts';
import { MessageKeys } from '../messages/message-keys.ts';
import { keyTree } from '../tree/key-tree.ts';
import type { PrefixNode } from '../tree/prefix-tree.ts';

/** A message of a branch. */
export interface BranchMessage {
  message: JsonObject;
  /** The call that answered with it; undefined for what the agent wrote, or let another model write. */
  call: ModelCallRecord | undefined;
  /** True if an earlier branch has the same answer, so that it must not train again. */
  isShared: boolean;
}

/** A conversation from its beginning to an answer from which nothing continues. */
export interface Branch {
  messages: BranchMessage[];
  /** Tools of its last call. */
  tools: JsonObject[];
}

/**
 * Every way through a conversation, in the order in which they began. Two calls continue one another where their messages say the same
 * (see `canonicalMessage`); reasoning that an agent leaves out of what it sends back stays with the answer.
 */
export function conversationBranches({ messages, calls }: Conversation): Branch[] {
  const keys = new MessageKeys();
  const keyOf = messages.map((message) => keys.withoutReasoning(stringifyJson(message)).id);
  const sequences = calls.map(({ prompt, answer }) => [...prompt, answer]);
  const tree = keyTree(sequences.map((sequence) => sequence.map((index) => keyOf[index]!)));
  // Where several calls have the same messages and the same answer, the first one stands for them.
  const callAt = new Map<PrefixNode, number>();
  for (const at of calls.keys()) if (!callAt.has(tree.endOf(at))) callAt.set(tree.endOf(at), at);

  const shown = new Set<number>();
  const branches: Branch[] = [];
  const firstCallOf = (last: number): number => {
    const ends = [...tree.endsBefore(last, sequences[last]!.length)];
    return Math.min(...ends.map((node) => callAt.get(node) ?? last));
  };
  // A sub-agent ends before the agent that waits for it, but begins after it.
  const leaves = Array.from(callAt).filter(([end]) => end.children.length === 0);
  for (const [, last] of leaves.toSorted(([, one], [, other]) => firstCallOf(one) - firstCallOf(other))) {
    const sequence = sequences[last]!;
    const branch = sequence.map((index): BranchMessage => ({
      message: messages[index]!,
      call: undefined,
      isShared: false,
    }));
    for (const node of tree.endsBefore(last, sequence.length)) {
      const at = callAt.get(node);
      if (at === undefined) continue;
      const call = calls[at]!;
      const place = branch[node.end - 1]!;
      branch[node.end - 1] = {
        message: withReasoning(place.message, messages[call.answer]!),
        call,
        isShared: shown.has(at),
      };
      shown.add(at);
    }
    branches.push({ messages: branch, tools: calls[last]!.tools as JsonObject[] });
  }
  return branches;
}

/** The echo has the ids of tool calls that its results name; only the answer has what was thought. */
function withReasoning(echo: JsonObject, answer: JsonObject): JsonObject {
  const reasoning = answer['reasoning_content'] ?? answer['reasoning'];
  return typeof reasoning === 'string' && reasoning !== '' ? { ...echo, reasoning_content: reasoning } : echo;
}
