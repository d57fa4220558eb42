import { describe, expect, it } from 'vitest';
import { LoopTurns } from './loop-turns.ts';

const large = 100_000;
const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

describe('LoopTurns', () => {
  it('lets small work through and large work one a turn, in order', async () => {
    const turns = new LoopTurns();
    const begun: number[] = [];
    const all = [0, 1, 2, 3].map(async (index) => {
      await turns.take(large);
      begun.push(index);
    });
    await turns.take(1_000);
    expect(begun).toEqual([0]);
    const counts: number[] = [];
    while (begun.length < 4) {
      await nextTurn();
      counts.push(begun.length);
    }
    await Promise.all(all);
    expect(begun).toEqual([0, 1, 2, 3]);
    // Never two of them in one turn.
    expect(counts.every((count, turn) => count - (counts[turn - 1] ?? 1) <= 1)).toBe(true);
  });

  it('makes the first of a later turn wait for nothing', async () => {
    const turns = new LoopTurns();
    await turns.take(large);
    await nextTurn();
    await nextTurn();
    let isOver = false;
    const work = turns.take(large).then(() => (isOver = true));
    await Promise.resolve();
    await Promise.resolve();
    expect(isOver).toBe(true);
    await work;
  });
});
