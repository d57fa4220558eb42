import { createHash } from 'node:crypto';

/** What one rollout is about: the key that the model is given, the value that the tool finds. */
export interface Lookup {
  key: string;
  value: string;
}

const keys = ['ba', 'de', 'fi', 'go', 'ka', 'le', 'mi', 'no'];
const values = ['pa', 'pe', 'ri', 'ro', 'sa', 'se', 'ti', 'to'];

/** Every word that the task knows; the policy's tokenizer is made of them. */
export const words: readonly string[] = [...keys, ...values];

/** The inputs of a step: every key once, with a value drawn for it. The same seed and step draw the same. */
export function lookupsOf(seed: number, step: number): Lookup[] {
  const drawn = createHash('sha256').update(`${seed} ${step}`).digest();
  return keys.map((key, index) => ({ key, value: values[drawn[index]! % values.length]! }));
}
