import type { EngineAnswer } from '../engine/engine-answer.ts';
import { sampleChoice, type SampledChoice } from '../engine/sampled-answer.ts';
import { SeededRandom } from '../engine/seeded-random.ts';

const words = ['so', 'über', 'twelve', '🧮', 'then', '"quoted"', 'näher', '🎉🎉', 'back\\slash', 'end\n'];

/** Answer of the engine to a call: its number and choice, which make the answer unlike any other, and some words. */
export function markedAnswer(seed: number, callNumber: number, choice: number): EngineAnswer {
  const random = new SeededRandom(seed, callNumber, choice, 7);
  const some = Array.from({ length: 2 + random.below(20) }, () => random.pick(words));
  return {
    ...(random.next() < 0.2 && { reasoning: `think ${random.below(1_000)}` }),
    content: `#${callNumber}.${choice} ${some.join(' ')}`,
    finishReason: random.next() < 0.1 ? 'length' : 'stop',
  };
}

/** Tokens that were sampled by the mark in a text; undefined where there is none. */
export function sampledBy(seed: number, text: string): { mark: string; choice: SampledChoice } | undefined {
  const [mark, callNumber, choice] = /#(\d+)\.(\d+) /.exec(text) ?? [];
  if (mark === undefined) return undefined;
  const answer = markedAnswer(seed, Number(callNumber), Number(choice));
  return {
    mark: mark.trim(),
    choice: sampleChoice(seed, Number(callNumber), Number(choice), answer),
  };
}
