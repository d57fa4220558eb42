import { expect, it } from 'vitest';
import { sampledVersions } from './sampled-versions.ts';

const tokenIds = new Int32Array(4);
const half = (one: string, other: string): { version: string; start: number; end: number }[] => [
  { version: one, start: 0, end: 2 },
  { version: other, start: 2, end: 4 },
];
const whole = (version: string): { version: string; start: number; end: number }[] => [
  { version, start: 0, end: 4 },
];

it.each([
  ['nobody says anything', [], undefined, [undefined], { weightVersion: undefined, weightVersions: [] }],
  ['one was announced', [], undefined, [3], { weightVersion: 3, weightVersions: [] }],
  ['the same was announced again', [], undefined, [3, 3], { weightVersion: 3, weightVersions: [] }],
  [
    'another was announced in mid-call',
    [],
    undefined,
    [3, 4],
    { weightVersion: undefined, weightVersions: [], weightVersionRange: { oldest: 3, newest: 4 } },
  ],
  [
    'it went there and back',
    [],
    undefined,
    [3, 5, 3],
    { weightVersion: undefined, weightVersions: [], weightVersionRange: { oldest: 3, newest: 5 } },
  ],
  [
    'the first was announced in mid-call',
    [],
    undefined,
    [undefined, 4],
    { weightVersion: undefined, weightVersions: [], weightVersionRange: { oldest: null, newest: 4 } },
  ],
  [
    'the engine says by token what the trainer had not announced yet',
    half('3', '4'),
    '4',
    [3],
    { weightVersion: 3, weightVersions: half('3', '4') },
  ],
  [
    'the engine says by token, and another was announced',
    half('3', '4'),
    '4',
    [3, 4],
    { weightVersion: 3, weightVersions: half('3', '4') },
  ],
  [
    'the engine gives the version of the end for the whole, and another was announced',
    [],
    '4',
    [3, 4],
    { weightVersion: undefined, weightVersions: [], weightVersionRange: { oldest: 3, newest: 4 } },
  ],
  [
    'the engine says in names of its own',
    half('a', 'b'),
    'b',
    [3, 4],
    {
      weightVersion: undefined,
      weightVersions: half('a', 'b'),
      weightVersionRange: { oldest: 3, newest: 4 },
    },
  ],
  ['the engine has no versions', whole('default'), 'default', [3], { weightVersion: 3, weightVersions: [] }],
  ['only the engine says one', [], '7', [undefined], { weightVersion: 7, weightVersions: whole('7') }],
] as const)('%s', (_case, weightVersions, weightVersion, announced, expected) => {
  expect(sampledVersions({ tokenIds, weightVersions }, { weightVersion }, announced)).toEqual(expected);
});
