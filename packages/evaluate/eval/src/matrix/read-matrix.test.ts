import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '@art/ground';
import { expect, it, onTestFinished } from 'vitest';
import { evaluate } from '../run/evaluate.ts';
import { scriptedAgent } from '../run/scripted-agent.fixture.ts';
import { readMatrix } from './read-matrix.ts';

const count = 40;

async function matrixOf(cells: Record<string, (at: number) => number>, notes?: JsonObject): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'art-matrix-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const tasks = Array.from({ length: count }, (_, at) => ({ id: `t${at}`, payload: { at } }));
  for (const [name, rewardOf] of Object.entries(cells)) {
    const { agent } = scriptedAgent(({ at }) => {
      const reward = rewardOf(at as number);
      return { kind: 'ok', document: { rewards: reward }, reward } as never;
    });
    await evaluate({ agent, tasks, folder: join(folder, name), notes, onNotice: () => undefined });
  }
  return folder;
}

it('compares every run of a folder with the first one, by p values that Holm has adjusted', async () => {
  const folder = await matrixOf({
    z: (at) => at % 2,
    // 7 gained, none lost: p is 2 x 0.5 ^ 7 = 0.0156.
    hardly: (at) => Number(at % 2 === 1 || at < 14),
    much: () => 1,
    bad: () => 0,
  });
  const cells = await readMatrix(folder);
  expect(cells.map(({ name, direction }) => [name, direction])).toEqual([
    ['z', null],
    ['hardly', 'better'],
    ['much', 'better'],
    ['bad', 'worse'],
  ]);
  expect(cells[1]!.pHolm).toBeCloseTo(0.0156, 4);
  expect(cells[2]!.pHolm).toBeCloseTo(3 * 2 * 0.5 ** 20, 9);
  // Were there to be five of them, the same p would say nothing.
  const [, hardly] = await readMatrix(folder, { comparisons: 6 });
  expect([hardly!.direction, hardly!.pHolm]).toEqual(['unclear', expect.closeTo(4 * 0.0156, 3)]);
  const [, , other] = await readMatrix(folder, { baseline: 'bad' });
  expect([other!.name, other!.direction]).toEqual(['much', 'better']);
  await expect(readMatrix(folder, { baseline: 'none' })).rejects.toThrow(/a run none in it/);
  await expect(readMatrix(join(folder, 'nowhere'))).rejects.toThrow(/with runs in it/);
});

it('lists runs in the order in which they were asked for, whichever began first', async () => {
  const notes = { matrix: { cells: ['asked-first', 'asked-second'] } };
  const folder = await matrixOf({ 'asked-second': () => 1, other: () => 1, 'asked-first': () => 1 }, notes);
  const cells = await readMatrix(folder);
  expect(cells.map(({ name }) => name)).toEqual(['asked-first', 'asked-second', 'other']);
});
