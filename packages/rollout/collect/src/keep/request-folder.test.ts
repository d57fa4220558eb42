import { appendFile, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { parseCollectRequest } from '../request/collect-request.ts';
import { RequestFolder } from './request-folder.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'art-request-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const create = (): Promise<RequestFolder> =>
  RequestFolder.create(root, {
    version: 1,
    requestId: 'r',
    digest: 'd',
    state: 'open',
    createdAtMs: 0,
    groupCount: 3,
    // More than a double holds: seeds of agents may be as large.
    request: parseCollectRequest({ inputs: [{ seed: 2n ** 60n }], rollouts_per_input: 1 }, () => 'r'),
    notStarted: [],
  });

it('keeps them to their owner', async () => {
  const folder = await create();
  await folder.keep(0, '{"zero":0}');
  await folder.keep(1, '{"one":1}');
  await folder.acknowledge([1]);
  const names = await readdir(join(root, 'r'));
  expect(names.length).toBeGreaterThan(2);
  for (const name of names)
    expect([name, (await stat(join(root, 'r', name))).mode & 0o777]).toEqual([name, 0o600]);
  expect((await stat(join(root, 'r'))).mode & 0o777).toBe(0o700);
});

it('keeps groups until they are acknowledged, over any number of lives', async () => {
  const first = await create();
  await first.keep(2, '{"two":2}');
  await first.keep(0, '{"zero":0}');
  expect(first.waiting).toEqual([2, 0]);
  expect(await first.acknowledge([2, 1])).toBe(1);
  expect(await first.acknowledge([2])).toBe(0);
  const second = (await RequestFolder.open(root, 'r'))!;
  expect(second.record.request?.inputs).toEqual([{ seed: 2n ** 60n }]);
  expect([second.waiting, second.acknowledgedCount]).toEqual([[0], 1]);
  expect([second.has(0), second.has(1), second.has(2)]).toEqual([true, false, true]);
  expect(await second.lineOf(0)).toBe('{"zero":0}');
  expect(await second.lineOf(2)).toBeUndefined();
});

it('takes a torn acknowledgement for none, and half a group for none', async () => {
  const first = await create();
  await first.keep(1, '{}');
  await appendFile(join(root, 'r', 'acknowledged'), '1');
  await writeFile(join(root, 'r', '2.json.draft'), '{"ha');
  const second = (await RequestFolder.open(root, 'r'))!;
  expect([second.waiting, second.acknowledgedCount]).toEqual([[1], 0]);
});

it('forgets what nothing can come of, but not that it was', async () => {
  const folder = await create();
  await folder.keep(0, '{}');
  await folder.become('cancelled');
  expect(await readdir(join(root, 'r'))).toEqual(['request.json']);
  expect((await RequestFolder.open(root, 'r'))!.record).toMatchObject({ state: 'cancelled', digest: 'd' });
  expect(await RequestFolder.open(root, 'other')).toBeUndefined();
  expect(await RequestFolder.list(root)).toEqual(['r']);
  expect(await RequestFolder.list(join(root, 'nowhere'))).toEqual([]);
});

it('takes two states at once, and keeps the later one', async () => {
  const folder = await create();
  await Promise.all(
    Array.from({ length: 20 }, () => [folder.become('settled'), folder.become('done')]).flat(),
  );
  expect((await RequestFolder.open(root, 'r'))!.record.state).toBe('done');
});
