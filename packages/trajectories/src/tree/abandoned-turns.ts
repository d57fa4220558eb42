import { isExtended, type TokenNode } from './exact-tree.ts';

/**
 * Answers that the agent left for another answer to the same prompt. An answer is left only where the other one was gone on
 * from: as long as nothing was, all of them may have been used.
 */
export function findAbandoned(nodes: readonly TokenNode[]): Set<TokenNode> {
  const abandoned = new Set<TokenNode>();
  for (const answers of bySamePrompt(nodes)) {
    if (!answers.some(isExtended)) continue;
    for (const node of answers) {
      if (!isExtended(node)) abandoned.add(node);
    }
  }
  return abandoned;
}

function bySamePrompt(nodes: readonly TokenNode[]): TokenNode[][] {
  const groups: TokenNode[][] = [];
  const byEnd = new Map<string, TokenNode[][]>();
  for (const node of nodes) {
    const prompt = node.turn.trace.promptTokenIds;
    const end = `${prompt.length}:${prompt.subarray(-8).join()}`;
    const candidates = byEnd.get(end) ?? [];
    byEnd.set(end, candidates);
    const group = candidates.find(
      ([first]) => first !== undefined && areEqual(first.turn.trace.promptTokenIds, prompt),
    );
    if (group !== undefined) group.push(node);
    else {
      const own = [node];
      candidates.push(own);
      groups.push(own);
    }
  }
  return groups;
}

function areEqual(left: Int32Array, right: Int32Array): boolean {
  return left.length === right.length && left.every((token, index) => token === right[index]);
}
