import { describe, expect, it } from 'vitest';
import { sharedValues } from './shared-values.ts';

const session = (...files: [name: string, text: string][]): Map<string, string> =>
  new Map(
    files.flatMap(([name, text], index) => [
      [`file ${index + 1} name`, name],
      [`file ${index + 1} text`, text],
    ]),
  );

describe('values that two clones share', () => {
  it('are not the files that every session writes, wherever their place is among the others', () => {
    const first = session(['latest.txt', 'written by the agent'], ['x1.json', 'one']);
    const second = session(['latest.txt', 'written by the agent'], ['z2.json', 'two']);
    const control = session(['a3.json', 'three'], ['latest.txt', 'written by the agent']);
    expect(sharedValues([first, second], control)).toEqual([]);
  });

  it('are files that the process without a snapshot did not write', () => {
    const clone = session(['latest.txt', 'drawn']);
    const control = session(['latest.txt', 'other'], ['z.txt', 'more']);
    expect(sharedValues([clone, clone], control)).toEqual([{ where: 'file 1 text', value: 'drawn' }]);
  });
});
