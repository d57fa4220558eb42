import { MessageKeys } from '../messages/message-keys.ts';
import type { Trace } from '../traces/trace.ts';
import { keyTree } from './key-tree.ts';
import type { PrefixTree } from './prefix-tree.ts';

/** Tree of a session's traces by the common beginnings of messages and answers; reasoning does not count. */
export function textTree(traces: readonly Trace[]): PrefixTree {
  const keys = new MessageKeys();
  return keyTree(
    traces.map(({ messages, responseMessage }) =>
      [...messages, responseMessage].map((message) => keys.withoutReasoning(message).id),
    ),
  );
}
