import type { TokenNode } from '../tree/exact-tree.ts';
import { RowBuilder } from './row-builder.ts';

/**
 * Makes a row of every leaf: its own turn and all turns before it. A turn that several rows share trains in the first of
 * them. Rows come in the order of their last turns, so that the last row holds the rollout's last answer.
 */
export function lineariseExact(nodes: readonly TokenNode[], abandoned: ReadonlySet<TokenNode>): RowBuilder[] {
  const trained = new Set<TokenNode>();
  const rows: RowBuilder[] = [];
  for (const leaf of nodes) {
    if (abandoned.has(leaf) || leaf.children.some((child) => !abandoned.has(child))) continue;
    const [first, ...rest] = chainTo(leaf);
    if (first === undefined) continue;
    const row = new RowBuilder(first.context);
    addAnswer(row, first, trained);
    for (const node of rest) {
      row.addContext(node.context);
      addAnswer(row, node, trained);
    }
    rows.push(row);
  }
  return rows;
}

function addAnswer(row: RowBuilder, node: TokenNode, trained: Set<TokenNode>): void {
  row.addAnswer(node.turn, !trained.has(node));
  trained.add(node);
}

function chainTo(leaf: TokenNode): TokenNode[] {
  const chain: TokenNode[] = [];
  for (let node: TokenNode | undefined = leaf; node !== undefined; node = node.parent) chain.push(node);
  return chain.toReversed();
}
