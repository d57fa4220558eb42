import { shortlist } from '@art/tooling/thorough';
import { describe, expect, it } from 'vitest';
import { estimateDifference } from './estimate-difference.ts';
import { estimateMean } from './estimate-mean.ts';
import { mcnemarExact } from './mcnemar.ts';
import { pairedBinaryInterval } from './paired-binary.ts';
import { enumeratePaired, scenarios, simulate } from './simulation.fixture.ts';

const pairs = (tasks: number, first: number[], second: number[]) =>
  Array.from({ length: tasks }, () => ({ first, second }));

// Four standard deviations of what so many rounds come to by chance are allowed for. The table of many rounds is in the README.
const rounds = 600;

describe('intervals and tests of few tasks', () => {
  it.each(
    shortlist(
      Object.entries(scenarios).filter(([name]) => !name.startsWith('skewed')),
      4,
    ),
  )('%s: the mean is covered, and the same agent is not called worse', (name, scenario) => {
    // One binary score a task is gone through without chance below.
    const samples = name.startsWith('binary') ? [4] : [1, 4];
    for (const tasks of [2, 3, 5, 8, 20]) {
      for (const of of samples) {
        const seen = simulate(scenario, { tasks, samples: of, rounds, seed: 7 * tasks + of });
        expect(seen.coverage).toBeGreaterThan(0.885);
        expect(seen.falselyWorse).toBeLessThan(0.053);
        expect([seen.points, seen.disagreements]).toEqual([0, 0]);
      }
    }
  });

  it('one binary score a task: the difference is covered, and the same agent is not called worse', () => {
    for (const tasks of [1, 2, 3, 6, 8, 10]) {
      for (const chance of [
        { gained: 0.25, lost: 0.25 },
        { gained: 0.02, lost: 0.02 },
        { gained: 0.05, lost: 0.4 },
        { gained: 0.5, lost: 0 },
      ]) {
        const { coverage, falselyWorse } = enumeratePaired(tasks, chance);
        expect(coverage).toBeGreaterThan(0.95);
        if (chance.gained === chance.lost) expect(falselyWorse).toBeLessThan(0.025);
      }
    }
  });

  it('0 lies outside of the interval exactly where p is below 0.05', () => {
    for (let gained = 0; gained < 9; gained += 1) {
      for (let lost = 0; lost < 5; lost += 1) {
        for (const same of [0, 1, 30]) {
          if (gained + lost + same === 0) continue;
          const { low, high } = pairedBinaryInterval({ gained, lost, same });
          expect(low > 0 || high < 0).toBe(mcnemarExact(gained, lost) < 0.05);
          expect(high - low).toBeGreaterThan(0.05);
          expect([low >= -1, high <= 1]).toEqual([true, true]);
        }
      }
    }
    for (const tasks of [2, 5, 6, 20]) {
      const { low, pValue, test } = estimateDifference(pairs(tasks, [0.5], [0.6]))!;
      expect([low > 0, test]).toEqual([pValue < 0.05, 'sign']);
    }
  });
});

describe('no interval is a point', () => {
  it('of a mean: other tasks may be unseen', () => {
    expect(estimateMean([[0.5], [0.5], [0.5]])).toMatchObject({ method: 'unseen', value: 0.5 });
    const { low, high } = estimateMean(Array.from({ length: 60 }, () => [0.25, 0.25]))!;
    // Clopper and Pearson for 0 of 60: 5.96 % may score anything from 0 to 1.
    expect([low, high]).toEqual([expect.closeTo(0.25 * (1 - 0.05963), 5), expect.closeTo(0.2947, 4)]);
    expect(estimateMean([[7], [7], [7]])).toMatchObject({ method: 'none', low: -Infinity });
  });

  it('of a difference', () => {
    expect(estimateDifference(pairs(60, [1], [1]))).toMatchObject({
      low: expect.closeTo(-0.05963, 5) as number,
      high: expect.closeTo(0.05963, 5) as number,
      pValue: 1,
    });
    expect(estimateDifference(pairs(3, [0.5], [0.5]))).toMatchObject({ low: -(1 - 0.025 ** (1 / 3)) });
    expect(estimateDifference(pairs(3, [5], [5]))).toMatchObject({ low: -Infinity, pValue: 1 });
    expect(estimateDifference(pairs(1, [0.2], [0.9]))).toMatchObject({ low: -Infinity, pValue: 1 });
  });
});

it('says which difference so many tasks can show', () => {
  const seen = Array.from({ length: 60 }, (_, at) => ({
    first: [0.5],
    second: [0.5 + (at % 2 ? 0.2 : -0.2)],
  }));
  const { detectable, standardError } = estimateDifference(seen)!;
  // t(0.975) + t(0.8) with 59 degrees of freedom, by scipy: 2.000995 + 0.847766
  expect(detectable).toBeCloseTo(2.848761 * standardError, 5);
  expect(estimateDifference(pairs(5, [0], [1]))!.detectable).toBeNull();
  // Where nothing has changed: 6 changes in one direction are needed, and P(Bin(60, d) >= 6) = 0.8, by scipy.
  expect(estimateDifference(pairs(60, [1], [1]))!.detectable).toBeCloseTo(0.12857, 4);
  const mixed = [...pairs(10, [0], [1]), ...pairs(10, [1], [0]), ...pairs(40, [1], [1])];
  expect(estimateDifference(mixed)!.detectable).toBeCloseTo(0.21215, 4);
});
