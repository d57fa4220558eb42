import { randomSource } from '../statistics/random-source.ts';
import type { PairedSamples } from '../statistics/simulation.fixture.ts';
import type { Task } from '../tasks/task.ts';
import { scaleOf } from './goal-scale.ts';
import { GoalWatch } from './goal-watch.ts';
import { readGoal } from './goal.ts';

type Draw = () => number;

/** Two agents: `task` draws a task, of which each side draws its samples. */
export interface PairScenario {
  samples: number;
  task: (random: Draw) => readonly [before: Draw, after: Draw];
}

const skewed =
  (random: Draw, zeros: number): Draw =>
  () =>
    random() < zeros ? 0 : 0.7 + 0.3 * random();
const binary =
  (random: Draw, share: number): Draw =>
  () =>
    Number(random() < share);

/** @param gain of the second agent */
const skewedBy = (gain: number): PairScenario => ({
  samples: 1,
  task: (random) => [skewed(random, 0.3), skewed(random, 0.3 - gain)],
});
const clusteredBy = (gain: number): PairScenario => ({
  samples: 4,
  task: (random) => {
    const share = random() * (1 - gain);
    return [binary(random, share), binary(random, share + gain)];
  },
});
const rareBy = (gain: number): PairScenario => ({
  samples: 1,
  task: (random) => [binary(random, 0.95 - gain), binary(random, 0.95)],
});

export const alike: Record<string, PairScenario> = {
  'skewed, 30 % zeros, else 0.7 to 1': skewedBy(0),
  'clustered, four samples of unlike tasks': clusteredBy(0),
  'nearly all pass, 95 %': rareBy(0),
};
export const gained: Record<string, PairScenario> = {
  'skewed, 30 to 15 % zeros': skewedBy(0.15),
  'skewed, 30 to 5 % zeros': skewedBy(0.25),
  'clustered, + 0.12': clusteredBy(0.12),
  'clustered, + 0.25': clusteredBy(0.25),
};
/** The scenario without a gain of each that has one. */
export const alikeOf = (name: string): PairScenario =>
  name.startsWith('skewed') ? skewedBy(0) : clusteredBy(0);

export interface PairsSeen {
  /** Shares of the comparisons. */
  decided: number;
  refuted: number;
  /** Means: tasks that the answer rests on, and tasks that each side was asked by then. */
  tasks: number;
  asked: number;
}

/** Asks `difference > 0` of pairs of agents, side by side as `evaluatePair` does, by sessions that end sooner where they fail. */
export async function simulatePairs(
  scenario: PairScenario,
  size: { most: number; sessions: number; rounds: number; seed: number },
): Promise<PairsSeen> {
  const random = randomSource(size.seed);
  const seen = { decided: 0, refuted: 0, tasks: 0, asked: 0 };
  for (let round = 0; round < size.rounds; round += 1) {
    const { end, tasks, asked } = await askPair(scenario, size, random);
    if (end === 'decided' || end === 'refuted') seen[end] += 1 / size.rounds;
    seen.tasks += tasks / size.rounds;
    seen.asked += asked / size.rounds;
  }
  return seen;
}

async function askPair(
  { samples, task }: PairScenario,
  { most, sessions }: { most: number; sessions: number },
  random: Draw,
) {
  const goal = readGoal('difference > 0');
  const scale = scaleOf(goal.figure, [0, 1], { passReward: 1, samples });
  const ahead = 4 * sessions;
  const watch = new GoalWatch({ goal, scale, samples, tasks: most, ahead, baseline: undefined, sides: 2 });
  const drawn = Array.from({ length: most }, () => task(random));
  const { signal } = new AbortController();
  let asked = 0;
  const session = async (side: 0 | 1, tasks: AsyncIterable<Task>): Promise<void> => {
    for await (const { id } of tasks) {
      asked += 1;
      for (let sample = 0; sample < samples; sample += 1) {
        const score = drawn[Number(id)]![side]();
        for (let turn = 0; turn < 1 + 4 * score; turn += 1) await Promise.resolve();
        watch.side(side).add({ taskId: id, sample, score });
      }
    }
  };
  await Promise.all(
    ([0, 1] as const).flatMap((side) => {
      const tasks = watch.side(side).ask(inOrder(most), signal);
      return Array.from({ length: sessions }, () => session(side, tasks));
    }),
  );
  return { ...watch.result(null), asked: asked / 2 };
}

async function* inOrder(most: number): AsyncGenerator<Task, void, undefined> {
  for (let at = 0; at < most; at += 1) yield { id: String(at), payload: {} } as Task;
}

/** Samples of both sides, of one task. */
export function drawnPair({ samples, task }: PairScenario): (random: Draw) => PairedSamples {
  return (random) => {
    const [first, second] = task(random).map((draw) => Array.from({ length: samples }, draw));
    return { first: first!, second: second! };
  };
}
