import { MessageKeys } from '../messages/message-keys.ts';
import type { Trace } from '../traces/trace.ts';
import { PrefixTree } from './prefix-tree.ts';

/** What a session's traces say, messages and answer, by their common beginnings; reasoning does not count. */
export function textTree(traces: readonly Trace[]): PrefixTree {
  const keys = new MessageKeys();
  const sequences = traces.map(({ messages, responseMessage }) =>
    [...messages, responseMessage].map((message) => keys.unthought(message).id),
  );
  const tree = new PrefixTree();
  for (const sequence of sequences) {
    const common = (owner: number, from: number, to: number): number => {
      let at = from;
      while (at < to && sequences[owner]![at] === sequence[at]) at += 1;
      return at - from;
    };
    tree.add(tree.follow(tree.start, sequence.length, common), sequence.length);
  }
  return tree;
}
