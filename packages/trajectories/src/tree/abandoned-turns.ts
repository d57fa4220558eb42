import { isExtended, type TokenNode } from './exact-tree.ts';

/**
 * Answers that the agent left for another answer to the same prompt. An answer is left only where the other one was gone on
 * from: as long as nothing was, all of them may have been used.
 */
export function findAbandoned(nodes: readonly TokenNode[]): Set<TokenNode> {
  const extended = new Set(nodes.filter(isExtended).map((node) => node.prompt));
  return new Set(nodes.filter((node) => !isExtended(node) && extended.has(node.prompt)));
}
