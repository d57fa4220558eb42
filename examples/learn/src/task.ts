import { createHash } from 'node:crypto';

/** Subject of one rollout: the key that the model is given, the value that the tool finds. */
export interface Lookup {
  key: string;
  value: string;
}

/** Every word that the task knows; the policy's tokenizer is made of them. Two different letters each. */
export const words: readonly string[] = ['ba', 'de', 'fi', 'go', 'ka', 'le', 'mi', 'no'];

/** Every key with every value that is not itself. */
export function allLookups(): Lookup[] {
  return words.flatMap((key) => words.filter((value) => value !== key).map((value) => ({ key, value })));
}

/**
 * The inputs of a step: every word is a key once and a value once, and no key is its own value. The same seed and step
 * draw the same.
 */
export function lookupsOf(seed: number, step: number): Lookup[] {
  const drawn = createHash('sha256').update(`${seed} ${step}`).digest();
  const distance = 1 + (drawn[0]! % (words.length - 1));
  return words.map((key, index) => ({ key, value: words[(index + distance) % words.length]! }));
}
