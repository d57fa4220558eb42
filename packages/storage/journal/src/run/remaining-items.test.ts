import { expect, it } from 'vitest';
import { payloadDigest } from '../history/payload-digest.ts';
import { RunHistory } from '../history/run-history.ts';
import type { JournalRecord } from '../records/journal-record.ts';
import { encodeRecord } from '../records/record-codec.ts';
import { itemSource, type ItemSource } from './item-source.ts';
import { remainingItems } from './remaining-items.ts';

interface Problem {
  id: string;
  text: string;
}

const problem = (id: string, text = id): Problem => ({ id, text });
const idOf = ({ id }: Problem): string => id;
const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((id) => problem(id));
const data = [a!, b!, c!, d!];

/** History of a run which has begun `a`, `b` and `c` and is done with `b`. */
function history(): RunHistory {
  const intended = data.slice(0, 3).map((input, index): JournalRecord => ({
    type: 'intended',
    rollout: index,
    item: input.id,
    index,
    attempt: 0,
    inputId: input.id,
    sessionId: `session-${index}`,
    invocationId: `invocation-${index}`,
    payloadDigest: payloadDigest(input),
    atMs: 1,
  }));
  const run: JournalRecord = {
    type: 'run',
    version: 2,
    runId: 'r',
    kind: 'batch',
    inputIdPrefix: 'p',
    createdAtMs: 1,
    options: {},
    callbacks: ['inputId'],
  };
  const records = [run, ...intended, { type: 'acknowledged', item: 'b', atMs: 2 } as const];
  return RunHistory.of(records.map(encodeRecord));
}

async function idsOf(source: ItemSource<Problem>): Promise<string[]> {
  const ids: string[] = [];
  for (let item = await source.next(); item !== undefined; item = await source.next()) ids.push(item.id);
  return ids;
}
const remaining = async (inputs: Iterable<Problem>): Promise<string[]> =>
  idsOf(await remainingItems(inputs, idOf, history(), undefined));

it.each<[string, Problem[], string[]]>([
  ['the same', data, ['a', 'c', 'd']],
  ['reordered', data.toReversed(), ['d', 'c', 'a']],
  ['filtered', [c!, d!], ['c', 'd']],
  ['longer', [...data, problem('e'), problem('f')], ['a', 'c', 'd', 'e', 'f']],
])('leaves what is not acknowledged of data that is %s', async (_, inputs, expected) => {
  expect(await remaining(inputs)).toEqual(expected);
  expect(await remaining(new Set(inputs))).toEqual(expected);
});

it('refuses a changed payload by the id of its item, whether it was acknowledged or not', async () => {
  const changed = [problem('c', 'other'), a!, problem('b', 'other')];
  await expect(remaining(changed)).rejects.toMatchObject({
    code: 'ART_JOURNAL_PAYLOADS_CHANGED',
    message: expect.stringContaining('item "c", "b".') as string,
  });
  // Beyond what the run had reached, when it is met.
  await expect(remaining(new Set([d!, problem('e'), a!, problem('c', 'other')]))).rejects.toThrow('item "c"');
});

it('takes a payload that nothing was sent of as it is today', async () => {
  expect(await remaining([...data.slice(0, 3), problem('d', 'other')])).toEqual(['a', 'c', 'd']);
});

it('reads data of unknown length no further than where all are found that the journal knows', async () => {
  let taken = 0;
  function* endless(): Generator<Problem> {
    for (const input of data) yield ((taken++, input));
    for (;;) yield problem(`further-${taken++}`);
  }
  const source = await remainingItems(endless(), idOf, history(), undefined);
  expect(taken).toBe(3);
  expect([(await source.next())?.id, (await source.next())?.id, taken]).toEqual(['a', 'c', 3]);
  expect([(await source.next())?.id, (await source.next())?.id]).toEqual(['d', 'further-4']);
});

it('names what has no name by its position, and what shares a name by its number among those', async () => {
  expect(await idsOf(itemSource(data, undefined))).toEqual(['0', '1', '2', '3']);
  const shared = [a!, b!, a!, problem('a#2'), a!];
  expect(await idsOf(itemSource(shared, idOf))).toEqual(['a', 'b', 'a#2', 'a#2#2', 'a#3']);
});
