import { estimateDifference } from './estimate-difference.ts';
import { estimateMean } from './estimate-mean.ts';
import { pairedBinaryInterval } from './paired-binary.ts';
import { randomSource } from './random-source.ts';

type Draw = () => number;

/** Rewards as agents get them: `task` draws a task, which draws its samples. */
export interface Scenario {
  mean: number;
  task: (random: Draw) => Draw;
}

function normal(random: Draw): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

export const scenarios: Record<string, Scenario> = {
  'binary, p = 0.7': { mean: 0.7, task: (random) => () => Number(random() < 0.7) },
  'binary, p = 0.95': { mean: 0.95, task: (random) => () => Number(random() < 0.95) },
  'binary, p of tasks from 0 to 1': {
    mean: 0.5,
    task: (random) => {
      const share = random();
      return () => Number(random() < share);
    },
  },
  'normal by task and sample': {
    mean: 0.5,
    task: (random) => {
      const centre = 0.5 + 0.1 * normal(random);
      return () => centre + 0.1 * normal(random);
    },
  },
  'uniform by task': {
    mean: 0.5,
    task: (random) => {
      const centre = random();
      return () => centre;
    },
  },
  'partial credit: 0, 0.25, 0.5 or 1': {
    mean: 0.625,
    task: (random) => () => [0, 0, 0.25, 0.5, 0.5, 1, 1, 1, 1, 1][Math.floor(10 * random())]!,
  },
  'skewed: 15 % zeros, else 0.7 to 1': {
    mean: 0.85 * 0.85,
    task: (random) => () => (random() < 0.15 ? 0 : 0.7 + 0.3 * random()),
  },
};

export interface Simulated {
  /** Share of the intervals of the mean that have the true mean in them. */
  coverage: number;
  /** Share of comparisons of two runs of the same agent that say "worse". */
  falselyWorse: number;
  /** Intervals without width. */
  points: number;
  /** Comparisons whose interval and p disagree. */
  disagreements: number;
}

/** Evaluates an agent twice on the same tasks, many times. */
export function simulate(
  { mean, task }: Scenario,
  size: { tasks: number; samples: number; rounds: number; seed: number },
): Simulated {
  const random = randomSource(size.seed);
  const seen = { coverage: 0, falselyWorse: 0, points: 0, disagreements: 0 };
  for (let round = 0; round < size.rounds; round += 1) {
    const tasks = Array.from({ length: size.tasks }, () => task(random));
    const run = (): number[][] => tasks.map((draw) => Array.from({ length: size.samples }, draw));
    const first = run();
    const { low, high } = estimateMean(first)!;
    if (low <= mean && mean <= high) seen.coverage += 1;
    if (!(high > low)) seen.points += 1;
    const difference = estimateDifference(run().map((second, at) => ({ first: first[at]!, second })))!;
    if (!(difference.high > difference.low)) seen.points += 1;
    if (difference.high < 0) seen.falselyWorse += 1;
    const isOutside = difference.low > 0 || difference.high < 0;
    if (isOutside !== difference.pValue < 0.05) seen.disagreements += 1;
  }
  return {
    ...seen,
    coverage: seen.coverage / size.rounds,
    falselyWorse: seen.falselyWorse / size.rounds,
  };
}

/** Samples of one task in both runs. */
export interface PairedSamples {
  first: readonly number[];
  second: readonly number[];
}

/** The number of tasks by which the interval of `art compare` lies above 0 with a power. */
export function fixedPlan(pairOf: (random: Draw) => PairedSamples, power: number, rounds: number): number {
  const random = randomSource(1);
  const powerOf = (tasks: number): number => {
    let shown = 0;
    for (let round = 0; round < rounds; round += 1) {
      const pairs = Array.from({ length: tasks }, () => pairOf(random));
      if (estimateDifference(pairs)!.low > 0) shown += 1;
    }
    return shown / rounds;
  };
  let [few, enough] = [2, 4];
  while (powerOf(enough) < power) [few, enough] = [enough, enough * 2];
  while (enough - few > 2) {
    const middle = (few + enough) >> 1;
    if (powerOf(middle) < power) few = middle;
    else enough = middle;
  }
  return enough;
}

/** The same without chance for one binary score a task: every outcome, weighed by its probability. */
export function enumeratePaired(
  tasks: number,
  chance: { gained: number; lost: number },
): { coverage: number; falselyWorse: number } {
  const same = 1 - chance.gained - chance.lost;
  let [coverage, falselyWorse] = [0, 0];
  for (let gained = 0; gained <= tasks; gained += 1) {
    for (let lost = 0; gained + lost <= tasks; lost += 1) {
      const rest = tasks - gained - lost;
      const weight =
        ways(tasks, gained) *
        ways(tasks - gained, lost) *
        chance.gained ** gained *
        chance.lost ** lost *
        same ** rest;
      const { low, high } = pairedInterval(gained, lost, rest);
      const difference = chance.gained - chance.lost;
      if (low <= difference && difference <= high) coverage += weight;
      if (high < 0) falselyWorse += weight;
    }
  }
  return { coverage, falselyWorse };
}

const known = new Map<string, ReturnType<typeof pairedBinaryInterval>>();

function pairedInterval(gained: number, lost: number, same: number): ReturnType<typeof pairedBinaryInterval> {
  const key = `${gained} ${lost} ${same}`;
  const interval = known.get(key) ?? pairedBinaryInterval({ gained, lost, same });
  known.set(key, interval);
  return interval;
}

function ways(of: number, taken: number): number {
  let count = 1;
  for (let at = 1; at <= taken; at += 1) count *= (of - taken + at) / at;
  return count;
}
