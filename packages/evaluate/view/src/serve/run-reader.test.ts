import { expect, it } from 'vitest';
import { findRuns } from '../read/find-runs.ts';
import { writeEvaluation } from '../testing/evaluation.fixture.ts';
import { temporaryFolder } from '../testing/temporary-folder.fixture.ts';
import { RunReader } from './run-reader.ts';

it('a finished run is live while its files are being read, so that a page asks again for what they say', async () => {
  const folder = await temporaryFolder();
  await writeEvaluation(folder, { tasks: 1, samples: 1, hasTranscripts: false });
  const [run] = await findRuns([folder]);
  const reader = new RunReader(run!);
  // Nothing that is not there yet is 0.
  const first = await findRuns([folder]);
  const reading = Promise.withResolvers<void>();
  first[0]!.refresh = () => reading.promise;
  const fresh = new RunReader(first[0]!);
  expect(await fresh.info()).toMatchObject({ isLive: true, isReading: true });
  reading.resolve();
  await fresh.settled();
  expect((await fresh.info()).isReading).not.toBe(true);
  const isLive = async (): Promise<boolean> => (await reader.info()).isLive;
  await expect.poll(isLive).toBe(false);
  await reader.settled();
  const slow = Promise.withResolvers<void>();
  const refresh = run!.refresh.bind(run);
  run!.refresh = () => slow.promise.then(refresh);
  expect(await isLive()).toBe(true);
  slow.resolve();
  await expect.poll(isLive).toBe(false);
});

it('finds what is being read when it has been read, and says at once what a run that is read does not have', async () => {
  const folder = await temporaryFolder();
  await writeEvaluation(folder, { tasks: 1, samples: 1, hasTranscripts: false });
  const [run] = await findRuns([folder]);
  if (run?.kind !== 'evaluation') throw new Error('Expected an evaluation.');
  const reader = new RunReader(run);
  reader.refresh();
  expect(await reader.find(() => run.detail(0))).toMatchObject({ record: { schema: 'art.rollout.v1' } });
  expect(await reader.find(() => run.detail(9))).toBeUndefined();
});
