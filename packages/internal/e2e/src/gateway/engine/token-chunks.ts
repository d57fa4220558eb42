import type { SampledChoice, SampledToken } from './sampled-answer.ts';
import { SeededRandom } from './seeded-random.ts';

/**
 * Cuts a choice's tokens into what one event of a stream carries: one to three tokens of the same part of the message, as
 * engines send them that batch their steps.
 */
export function tokenChunks(choice: SampledChoice, seed: number): SampledToken[][] {
  const random = new SeededRandom(seed, choice.tokens.length, choice.index);
  const chunks: SampledToken[][] = [];
  let room = 0;
  for (const token of choice.tokens) {
    const last = chunks.at(-1);
    if (last !== undefined && room > 0 && samePart(last[0]!, token)) last.push(token);
    else {
      chunks.push([token]);
      room = random.below(3) + 1;
    }
    room -= 1;
  }
  return chunks;
}

function samePart(a: SampledToken, b: SampledToken): boolean {
  return a.part.kind === b.part.kind && callOf(a) === callOf(b);
}

function callOf({ part }: SampledToken): number | undefined {
  return 'index' in part ? part.index : undefined;
}
