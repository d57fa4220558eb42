import { describe, expect, it } from 'vitest';
import { planSweep, type SweepPlan } from './plan-sweep.ts';

const options = { canList: true, listCostInHeads: 12.5, pageKeys: 1_000 };
const gaps = (count: number, gap = 0): { gap: number }[] => Array.from({ length: count }, () => ({ gap }));
const summary = ({ tasks, costInHeads }: SweepPlan): object => ({
  lists: tasks.filter((task) => task.kind === 'list').length,
  heads: tasks.filter((task) => task.kind === 'head').length,
  costInHeads,
});

describe('planSweep', () => {
  it.each<[string, { gap: number }[], object, object]>([
    ['nothing', [], {}, { lists: 0, heads: 0, costInHeads: 0 }],
    ['few keys', gaps(12), {}, { lists: 0, heads: 12, costInHeads: 12 }],
    ['just enough', gaps(13), {}, { lists: 1, heads: 0, costInHeads: 12.5 }],
    ['a full page', gaps(1_000), {}, { lists: 1, heads: 0, costInHeads: 12.5 }],
    ['a page and a few', gaps(1_005), {}, { lists: 1, heads: 5, costInHeads: 17.5 }],
    ['50,000 keys', gaps(50_000), {}, { lists: 50, heads: 0, costInHeads: 625 }],
    ['a store that cannot list', gaps(40), { canList: false }, { lists: 0, heads: 40, costInHeads: 40 }],
    ['keys far apart', gaps(40, 500), {}, { lists: 0, heads: 40, costInHeads: 40 }],
    ['one in ten of what is stored', gaps(1_000, 9), {}, { lists: 10, heads: 0, costInHeads: 125 }],
    ['dear listings', gaps(40), { listCostInHeads: 50 }, { lists: 0, heads: 40, costInHeads: 40 }],
    ['cheap listings', gaps(3), { listCostInHeads: 1 }, { lists: 1, heads: 0, costInHeads: 1 }],
  ])('%s', (_, keys, change, expected) => {
    expect(summary(planSweep(keys, { ...options, ...change }))).toEqual(expected);
  });

  it('jumps over a finished stretch between two dense ones', () => {
    const keys = [...gaps(20), { gap: 100_000 }, ...gaps(19)];
    expect(planSweep(keys, options).tasks).toEqual([
      { kind: 'list', start: 0, end: 20 },
      { kind: 'list', start: 20, end: 40 },
    ]);
  });

  it('lists the dense part and asks one by one for the scattered one', () => {
    const keys = [...gaps(30, 5_000), { gap: 5_000 }, ...gaps(99), ...gaps(3, 5_000)];
    expect(summary(planSweep(keys, options))).toEqual({ lists: 1, heads: 33, costInHeads: 45.5 });
  });

  it('covers every key exactly once, whatever the gaps, and never costs more than asking for each', () => {
    let seed = 1;
    const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
    for (let round = 0; round < 300; round += 1) {
      const keys = Array.from({ length: Math.floor(random() * 400) }, () => ({
        gap: random() < 0.3 ? Math.floor(random() * 2_000) : Math.floor(random() * 20),
      }));
      const plan = planSweep(keys, options);
      let next = 0;
      for (const task of plan.tasks) {
        expect(task.start).toBe(next);
        next = task.kind === 'list' ? task.end : task.start + 1;
        if (task.kind === 'head') continue;
        const listed = keys.slice(task.start + 1, task.end).reduce((sum, key) => sum + key.gap + 1, 1);
        expect(listed).toBeLessThanOrEqual(1_000);
      }
      expect(next).toBe(keys.length);
      expect(plan.costInHeads).toBeLessThanOrEqual(keys.length);
    }
  });
});
