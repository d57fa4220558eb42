import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LocalTrainingSessionsOptions, startLocalTrainingSessions } from '@art/training-stand-in';
import { isThorough } from '@art/tooling/thorough';
import { expect, it, onTestFinished } from 'vitest';
import { runAgentChaos } from './chaos/agents/run-agent-chaos.ts';
import { runTrainChaos } from './chaos/run-train-chaos.ts';
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

it('kill -9 of the loop and of the service, then the same command: the weights are those of an undisturbed run', async () => {
  const instants = isThorough ? 3 : 2;
  const { killed, violations } = await runTrainChaos({ seed: 1, instants });
  expect(violations).toEqual([]);
  // Which of the two comes to its call first depends on the machine.
  expect(killed.trainer + killed.service).toBe(instants);
}, 240_000);

it('kill -9 of the loop while its agents work, and of what it needs: every step is made once, and no session continues', async () => {
  const size = { steps: 2, groupsPerStep: 1, checkpointEverySteps: 2, kills: 2, mostCalls: 30 };
  const instants = isThorough ? 2 : 1;
  const { killed, violations } = await runAgentChaos({ seed: 1, instants, size });
  expect(violations).toEqual([]);
  // Mostly the loop and the gateway. Which calls there are before each depends on the machine.
  expect(Object.values(killed).reduce((sum, times) => sum + times, 0)).toBe(instants);
}, 240_000);

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
      // In the first ones no group has spread, and there is no gradient to lose.
      return passes === 5 ? { kind: 'ignore' } : undefined;
    },
  });
  const training = Array.fromAsync(playedTraining({ endpoint: sessions.endpoint, directory, steps: 40 }));
  await expect(training).rejects.toMatchObject({
    code: 'ART_TRAIN_PASS_INCOMPLETE',
    message: expect.stringContaining('did not apply the pass') as string,
  });
  await expect.poll(() => Object.values(sessions.statuses())).toEqual(['Stopped']);
});
