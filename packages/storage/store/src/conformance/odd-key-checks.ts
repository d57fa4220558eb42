import { deepEqual, equal } from 'node:assert/strict';
import { compareKeys } from '../sorted-keys.ts';
import { defineCheck, type CheckRoom } from './check-room.ts';
import type { ResultStoreCheck } from './result-store-check.ts';

/** Stores its own body under every name, and expects each to come back, and to be listed verbatim where listing works. */
async function keepApart(room: CheckRoom, names: readonly string[]): Promise<void> {
  for (const name of names) await room.put(name, `body of ${name}`, { ifAbsent: true });
  for (const name of names) {
    equal(await room.exists(name), true, `exists of ${JSON.stringify(name)}`);
    equal(await room.get(name), `body of ${name}`, `get of ${JSON.stringify(name)}`);
  }
  if (room.store.list !== undefined) deepEqual(await room.listAll(), names.toSorted(compareKeys));
}

function oddKeys(id: string, name: string, names: readonly string[]): ResultStoreCheck {
  return defineCheck({ id, name, run: (room) => keepApart(room, names) });
}

/** A key is any text, and two texts that differ are two keys. */
export const oddKeyChecks: readonly ResultStoreCheck[] = [
  oddKeys('keys.url', 'takes keys with characters that mean something in a URL', [
    'a b.json',
    'a+b.json',
    'a&b=c.json',
    'a?b#c.json',
    'a%b.json',
    'a;b,c:d@e$f!g~h.json',
    "a'b(c)d*e.json",
    'input 1&2/50%+1/s.json',
  ]),
  oddKeys('keys.percent', 'tells an encoded character from the character', [
    'a/b.json',
    'a%2Fb.json',
    'a%2fb.json',
    'a%252Fb.json',
    'a b.json',
    'a%20b.json',
    '%.json',
    '%25.json',
    '%zz.json',
  ]),
  oddKeys(
    'keys.markup',
    'takes keys with characters that mean something in XML, JSON and on a command line',
    [
      '<key>&amp;.json',
      '"quoted".json',
      'back\\slash.json',
      'back/slash.json',
      '$HOME`id`|x.json',
      '[a]{b}^c.json',
      ']]>.json',
    ],
  ),
  oddKeys('keys.unicode', 'takes keys in any script', [
    '日本語/テスト.json',
    'Ünïcödé/ß.json',
    'עברית/א.json',
    'naïve café.json',
  ]),
  oddKeys('keys.normalization', 'tells composed from decomposed characters', [
    'caf\u00e9.json',
    'cafe\u0301.json',
    '\u00c5/s.json',
    'A\u030a/s.json',
    '\u212b/s.json',
  ]),
  oddKeys('keys.emoji', 'takes keys with emoji', ['😀.json', '👩‍🔬/🏳️‍🌈.json', '\u{10ffff}.json']),
  oddKeys('keys.case', 'tells capitals from small letters', [
    'readme.json',
    'README.json',
    'Readme.json',
    'EXP/a.json',
    'exp/a.json',
    'Exp/A.json',
    'straße.json',
    'STRASSE.json',
    'x.JSON',
    'x.json',
  ]),
  oddKeys('keys.dots', 'takes keys with dots and spaces at either end', [
    'a.',
    'a',
    'a..',
    '.a',
    '.a.json',
    '.json',
    '...',
    'dir./s.json',
    'dir/s.json',
    '.dir/s.json',
    ' a.json',
    'a.json ',
    'a .json',
  ]),
  oddKeys('keys.below', 'takes a key that is the directory of another', [
    'a/b',
    'a/b/c',
    'a/b/c/d',
    'x.json',
    'x.json/y.json',
    'a',
  ]),
  oddKeys('keys.long', 'takes segments that are longer than a file name may be', [
    `${'s'.repeat(300)}.json`,
    `${'s'.repeat(299)}.json`,
    's'.repeat(300),
    `${'s'.repeat(300)}/x.json`,
    `${'é'.repeat(150)}/${'É'.repeat(100)}.json`,
    `${'X'.repeat(260)}.json`,
    `${'x'.repeat(260)}.json`,
    `${'.'.repeat(241)}/${'.'.repeat(241)}`,
  ]),
  oddKeys('keys.hidden', 'takes keys that look like its own helpers', [
    '.tmp/s.json',
    'tmp-1234.json',
    's.json.tmp',
    's.json~',
    's.json%',
    '~1.json',
    'a~1.json',
    'A.json',
    'a=',
    '=a',
    'a=/=b.json',
    '.DS_Store',
    'CON.json',
    '__proto__',
    'constructor/s.json',
  ]),
];
