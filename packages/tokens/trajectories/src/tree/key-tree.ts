import { PrefixTree } from './prefix-tree.ts';

/** Sequences of keys, such as those of messages, by their common beginnings. */
export function keyTree(sequences: readonly (readonly number[])[]): PrefixTree {
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
