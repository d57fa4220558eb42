import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LocalTrainingSessionsOptions, startLocalTrainingSessions } from '@art/train/local';
import { expect, it, onTestFinished } from 'vitest';
import { echoShape, keys, playedTraining } from './played-training.ts';

async function openSessions(options: Partial<LocalTrainingSessionsOptions>) {
  const root = await mkdtemp(join(tmpdir(), 'art-killed-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const sessions = await startLocalTrainingSessions({
    directory: join(root, 'service'),
    shape: echoShape,
    credentials: keys,
    describesUntilRunning: 0,
    pollsUntilDone: 0,
    ...options,
  });
  onTestFinished(() => sessions.close());
  return { sessions, directory: join(root, 'run') };
}

it('kill -9 at any call, then the same command: no step is lost or made twice, no session goes on', async () => {
  // In calls of the process that is killed: while its session is opened, in a first step, after a checkpoint or in the middle of one.
  const instants = [2, 60, 150, 130];
  const steps = 9;
  let calls = 0;
  let victim: ReturnType<typeof spawn> | undefined;
  const { sessions, directory } = await openSessions({
    fault: () => {
      calls += 1;
      if (calls === instants[0]) victim?.kill('SIGKILL');
      return undefined;
    },
  });
  const main = join(import.meta.dirname, 'training-process.ts');
  const run = async (): Promise<number | null> => {
    calls = 0;
    const command = ['--conditions=@art/source', main, sessions.endpoint, directory, String(steps)];
    victim = spawn(process.execPath, command, { stdio: ['ignore', 'ignore', 'inherit'] });
    const [code] = (await once(victim, 'exit')) as [number | null];
    return code;
  };
  while (instants.length > 0) {
    expect(await run()).toBeNull();
    instants.shift();
  }
  expect(await run()).toBe(0);

  const lines = (await readFile(join(directory, 'checkpoints.jsonl'), 'utf8')).trimEnd().split('\n');
  const checkpoints = lines.map((line) => JSON.parse(line) as { step: number; position: number });
  expect(checkpoints.map(({ step, position }) => [step, position])).toEqual([
    [3, 6],
    [6, 12],
    [9, 18],
  ]);
  expect(Object.values(sessions.statuses())).toHaveLength(5);
  expect(new Set(Object.values(sessions.statuses()))).toEqual(new Set(['Stopped']));
  const bySession = Map.groupBy(sessions.applied, ({ session }) => session);
  for (const operations of bySession.values())
    expect(operations.map(({ sequenceNumber }) => sequenceNumber)).toEqual(operations.map((_, at) => at + 1));
  // The last session has what was left to do, and nothing that a checkpoint had seen.
  const [first, ...kinds] = [...bySession.values()].at(-1)!.map(({ kind }) => kind);
  expect(first).toBe('loadState');
  const made = kinds.filter((kind) => kind === 'optimizerStep').length;
  expect(checkpoints.map(({ step }) => steps - step)).toContain(made);
  expect(made).toBeGreaterThan(0);
});

it('a sampler that keeps the first weights is told by name', async () => {
  let loads = 0;
  const { sessions, directory } = await openSessions({
    fault: ({ operation, body }) => {
      if (operation !== 'ExecuteSamplingOperation' || !body.includes('loadWeightsForSampling'))
        return undefined;
      loads += 1;
      return loads > 1 ? { kind: 'ignore' } : undefined;
    },
  });
  const training = Array.fromAsync(playedTraining({ endpoint: sessions.endpoint, directory, steps: 40 }));
  await expect(training).rejects.toMatchObject({
    code: 'ART_TRAIN_LOGPROB_GAP',
    message: expect.stringContaining('The sampler serves older weights than it says') as string,
  });
  await expect.poll(() => Object.values(sessions.statuses())).toEqual(['Stopped']);
});

it('a pass that the service takes and does not apply is told, at the step in which it was lost', async () => {
  let passes = 0;
  const { sessions, directory } = await openSessions({
    fault: ({ body }) => {
      if (!body.includes('forwardBackward')) return undefined;
      passes += 1;
      return passes === 3 ? { kind: 'ignore' } : undefined;
    },
  });
  const training = Array.fromAsync(playedTraining({ endpoint: sessions.endpoint, directory, steps: 40 }));
  await expect(training).rejects.toMatchObject({
    code: 'ART_TRAIN_PASS_INCOMPLETE',
    message: expect.stringContaining('did not apply the pass') as string,
  });
  await expect.poll(() => Object.values(sessions.statuses())).toEqual(['Stopped']);
});
