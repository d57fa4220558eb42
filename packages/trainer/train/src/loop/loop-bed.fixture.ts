import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { localService } from '../local/session/local-service.ts';
import type { TrainOptions } from '../run/train-options.ts';
import type { TrainingStep } from '../run/training-step.ts';
import { ServedPolicy } from '../sampling/served-policy.ts';
import { SessionRegister } from '../sessions/session-register.ts';
import type { SessionRecord } from '../steps/index.ts';
import { echoGame, echoShape, echoTasks, type Game, playedClient } from './scripted-rollouts.fixture.ts';
import { train } from './train.ts';

/** Everything that `train` needs, in this process, for the game of `scripted-rollouts.fixture.ts`. */
export interface BedOptions extends Partial<TrainOptions> {
  game?: (input: object, index: number) => Game;
}

export async function bed({ game = echoGame, ...given }: BedOptions = {}) {
  const { seed = 1 } = given;
  const directory = given.directory ?? (await temporaryFolder());
  const policy = new ServedPolicy();
  const client = playedClient(policy, game);
  const announced: number[] = [];
  const stopped: SessionRecord[] = [];
  const local = localService({ shape: echoShape, seed, directory: join(directory, 'saved') });
  const options: TrainOptions = {
    service: { ...local, stop: (record) => (stopped.push(record), local.stop(record)) },
    policy,
    client,
    gateway: { setWeightVersion: (version) => Promise.resolve(void announced.push(version)) },
    tasks: echoTasks,
    directory,
    steps: 3,
    groupsPerStep: 6,
    rolloutsPerGroup: 16,
    learningRate: 0.01,
    klCoefficient: 0.05,
    seed,
    register: new SessionRegister(join(directory, 'register.jsonl')),
    onNotice: () => undefined,
    ...given,
  };
  return { directory, policy, client, announced, stopped, register: options.register!, options };
}

export const run = async (options: TrainOptions): Promise<TrainingStep[]> =>
  await Array.fromAsync(train(options));

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'art-train-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
