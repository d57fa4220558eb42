import { MessageKeys } from '../messages/message-keys.ts';
import type { Capture } from '../captures/capture.ts';
import { keyTree } from './key-tree.ts';
import type { PrefixTree } from './prefix-tree.ts';

/** Tree of a session's captures by the common beginnings of messages and answers; reasoning does not count. */
export function textTree(captures: readonly Capture[]): PrefixTree {
  const keys = new MessageKeys();
  return keyTree(
    captures.map(({ messages, responseMessage }) =>
      [...messages, responseMessage].map((message) => keys.withoutReasoning(message).id),
    ),
  );
}
