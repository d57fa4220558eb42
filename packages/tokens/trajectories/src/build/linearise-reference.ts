import type { Turn } from '../tree/turn.ts';
import { RowBuilder } from './row-builder.ts';

/**
 * Makes rows of conversations whose texts follow one another. Where the tokens follow too, the row continues. Where the last
 * answer came back in other tokens, a short answer continues in the row and the last one does not train; else a new
 * row begins. A turn that several conversations share trains in the first.
 */
export function lineariseReference(chains: readonly Turn[][], forkThresholdTokens: number): RowBuilder[] {
  const trained = new Set<Turn>();
  return chains.flatMap((chain) => lineariseChain(chain, forkThresholdTokens, trained));
}

function lineariseChain(
  chain: readonly Turn[],
  forkThresholdTokens: number,
  trained: Set<Turn>,
): RowBuilder[] {
  const rows: RowBuilder[] = [];
  let row: RowBuilder | undefined;
  for (const turn of chain) {
    const { promptTokenIds, completionTokenIds } = turn.capture;
    const common = row === undefined ? 0 : commonPrefixLength(row.tokens, promptTokenIds);
    if (row !== undefined && common === row.tokens.length) {
      row.addContext(promptTokenIds.subarray(common));
    } else if (
      row !== undefined &&
      common >= row.lastStart &&
      completionTokenIds.length < forkThresholdTokens
    ) {
      row.realign(promptTokenIds);
    } else {
      row = new RowBuilder(promptTokenIds);
      rows.push(row);
    }
    const trains = turn.masked === undefined && !trained.has(turn);
    if (trains) trained.add(turn);
    row.addAnswer(turn, trains);
  }
  // As in the original, what happened to a conversation is said of each of its rows.
  for (const each of rows) each.conversation = chain;
  return rows;
}

/** How many tokens two sequences have in common at their heads. */
function commonPrefixLength(left: ArrayLike<number>, right: ArrayLike<number>): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    if (left[index] !== right[index]) return index;
  }
  return length;
}
