import { describe, expect, it } from 'vitest';
import { decodeName, directoryNames, fileNames, type DecodedName } from './file-name-codec.ts';

function decodeAll(names: readonly string[], isFile: boolean): DecodedName | undefined {
  let begun = '';
  for (const name of names.slice(0, -1)) {
    const decoded = decodeName(name, false, begun);
    if (decoded?.kind !== 'part') return decoded;
    begun = decoded.begun;
  }
  return decodeName(names.at(-1)!, isFile, begun);
}

const segments = [
  '', 'session-1.json', 'a', 'A', 'aA', 'Aa', 'GSM8K', 'Qwen3-v2.json', 'x.json', 'X.json', 'x.JSON', '.json', '.', '..', '...',
  '.a', 'a.', ' ', 'a b', '50%', '%25', '~', 'a~1', '=', '=a', 'a=', 'é', 'e\u0301', 'É', '日本', '😀', "!*'()", 'a/b', '\0', '\n',
  's'.repeat(240), 's'.repeat(241), 's'.repeat(1_000), 'S'.repeat(1_000), `${'s'.repeat(1_000)}.json`, '.'.repeat(241), '.'.repeat(242),
  'é'.repeat(500), '😀'.repeat(250), `${'a'.repeat(238)}%`, `${'a'.repeat(239)}.json`, `${'a'.repeat(236)}.json`,
]; // prettier-ignore

describe('the names of segments', () => {
  it('leaves ordinary names as they are', () => {
    expect(fileNames('session-00000000-0000-4000-8000-000000000000.json')).toEqual([
      'session-00000000-0000-4000-8000-000000000000.json',
    ]);
    expect(directoryNames('exp_1.2-b')).toEqual(['exp_1.2-b']);
  });

  it('encodes what a file system might change', () => {
    expect(directoryNames('GSM8K')).toEqual(['gsm8k~f']);
    expect(directoryNames('myExp')).toEqual(['myexp~4']);
    expect(fileNames('Qwen3.json')).toEqual(['qwen3~1.json']);
    expect(directoryNames('50% é')).toEqual(['50%25%20%c3%a9']);
    expect(fileNames('plain')).toEqual(['plain%']);
    expect(directoryNames('x.json')).toEqual(['x%2ejson']);
    expect(directoryNames('.hidden')).toEqual(['%2ehidden']);
    expect(directoryNames('s'.repeat(250))).toEqual([`${'s'.repeat(240)}=`, `=${'s'.repeat(10)}`]);
  });

  it.each(segments)('reads %j back, as a file and as a directory', (segment) => {
    expect(decodeAll(fileNames(segment), true)).toEqual({ kind: 'file', segment });
    expect(decodeAll(directoryNames(segment), false)).toEqual({ kind: 'directory', segment });
  });

  it('gives different segments different names, whatever the file system makes of case and Unicode', () => {
    const files = segments.map((segment) => fileNames(segment).join('/').normalize('NFD').toLowerCase());
    const directories = segments.map((segment) =>
      directoryNames(segment).join('/').normalize('NFD').toLowerCase(),
    );
    expect(new Set([...files, ...directories]).size).toBe(segments.length * 2);
  });

  it('never makes a name that is special or too long for a file system', () => {
    for (const name of segments.flatMap((segment) => [...fileNames(segment), ...directoryNames(segment)])) {
      expect(name).toMatch(/^[a-z0-9._%~=-]{1,255}$/);
      expect(name).not.toMatch(/^\./);
    }
  });

  it.each([
    '.DS_Store',
    'Notes.json',
    'a~0.json',
    'a~f.json',
    '%41.json',
    '%ff.json',
    '%zz.json',
    'a',
    'a~1~1.json',
    '=a.json',
  ])('does not take %j for a file of the store', (name) => expect(decodeName(name, true)).toBeUndefined());

  it.each(['.tmp', 'Exp', 'a.json', 'a%', 'a~', '%2Ehidden'])(
    'does not take %j for a directory of the store',
    (name) => expect(decodeName(name, false)).toBeUndefined(),
  );
});
