import type { Group, RolloutClient, TrainingRow } from '@art/client';
import { expect, it } from 'vitest';
import { learn, type LearningStep, type LearnOptions, type TrainerRow } from './learn.ts';

const row = {
  token_ids: [1, 2, 3],
  prompt_length: 1,
  loss_mask: [1, 1],
  logprobs: [-1, -2],
  advantages: [0.5, 0.5],
} as unknown as TrainingRow;

interface Told {
  happened: string[];
  rows: TrainerRow[];
}

/** The loop with everything around it played. @param groups what each step's groups are */
function options(told: Told, groups: readonly Partial<Group<never>>[]): LearnOptions {
  const runGroups = async function* (inputs: readonly object[]) {
    told.happened.push(`${inputs.length} inputs`);
    yield* groups;
  };
  return {
    client: { runGroups } as unknown as RolloutClient,
    gateway: { setWeightVersion: async (version) => void told.happened.push(`version ${version}`) },
    engine: { loadWeights: async (folder) => void told.happened.push(`load ${folder}`) },
    trainer: {
      update: async (rows) => {
        told.rows.push(...rows);
        told.happened.push(`update by ${rows.length}`);
        return { weights: '/new', loss: 1, logprobGap: 0, trainedTokens: 2 };
      },
    },
    steps: 2,
    rolloutsPerInput: 2,
    maxConcurrentSessions: 4,
    seed: 0,
    signal: new AbortController().signal,
  };
}

async function all(steps: AsyncIterable<LearningStep>): Promise<LearningStep[]> {
  const made: LearningStep[] = [];
  for await (const step of steps) made.push(step);
  return made;
}

const whole: Partial<Group<never>> = {
  members: [],
  leftOut: [],
  rewards: [1, 0.5],
  rows: async () => ({ rows: [row, row], members: 2, without: [] }),
};
const half: Partial<Group<never>> = {
  members: [],
  leftOut: [],
  rewards: [0, undefined],
  rows: async () => ({ rows: [row], members: 1, without: [{ member: 1, reason: 'masked' }] }),
};

it('makes rows, an update, new weights and their version, and only then the next rollouts', async () => {
  const told: Told = { happened: [], rows: [] };
  const steps = await all(learn(options(told, [whole, half])));
  const each = ['8 inputs', 'update by 3', 'load /new'];
  expect(told.happened).toEqual([...each, 'version 1', ...each, 'version 2']);
  expect(steps).toMatchObject([{ step: 1 }, { step: 2 }]);
  expect(steps[0]).toMatchObject({ reward: 0.5, rollouts: 3, withoutRows: 1, rows: 3 });
});

it('hands rows to the trainer as they were prepared', async () => {
  const told: Told = { happened: [], rows: [] };
  const prepare = (given: TrainerRow): TrainerRow => ({ ...given, logprobs: [0, 0] });
  await all(learn({ ...options(told, [whole]), steps: 1, prepare }));
  expect(told.rows.map(({ logprobs }) => logprobs)).toEqual([
    [0, 0],
    [0, 0],
  ]);
});

it('stops where a step has no rows, and says why', async () => {
  const failed = { status: 'dropped', error: new Error('no model at that port') };
  const none = { members: [], rewards: [], rows: async () => ({ rows: [], members: 0, without: [{}, {}] }) };
  const groups = [{ ...none, leftOut: [failed] }] as unknown as Partial<Group<never>>[];
  const told: Told = { happened: [], rows: [] };
  await expect(all(learn(options(told, groups)))).rejects.toThrow(
    'Expected rows in step 1, got none of 2 rollouts. no model at that port',
  );
  expect(told.happened).toEqual(['8 inputs']);
});
