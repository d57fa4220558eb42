import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { StoreJournal } from '@art/journal';
import { MemoryResultStore } from '@art/store';
import { expect, it } from 'vitest';
import { RolloutClient } from '../client/rollout-client.ts';
import { minimalStore } from '../scripted-runtime.fixture.ts';

/** Heap in use after garbage was collected, in bytes. */
async function heapUsed(): Promise<number> {
  setFlagsFromString('--expose_gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  for (let round = 0; round < 4; round += 1) {
    collectGarbage();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return process.memoryUsage().heapUsed;
}

/** Bytes for each rollout that waits. */
async function bytesOfWaiting(count: number, hasJournal: boolean): Promise<number> {
  const store = minimalStore(new MemoryResultStore());
  const { promise: allAccepted, resolve } = Promise.withResolvers<void>();
  let sent = 0;
  await using client = new RolloutClient({
    store,
    bucket: 'b',
    expId: 'e',
    watch: { lagBoundMs: 600_000 },
    runtime: {
      invoke: ({ sessionId, body }) => {
        const { input_id } = (JSON.parse(body) as { _rollout: { input_id: string } })._rollout;
        if ((sent += 1) === count) resolve();
        const place = { s3_bucket: 'b', result_key: `e/${input_id}/${sessionId}.json` };
        return Promise.resolve({ body: JSON.stringify({ status: 'processing', ...place }) });
      },
      stop: () => Promise.resolve({ kind: 'stopped' }),
    },
  });
  const payloads = function* (): Generator<object> {
    for (let n = 0; n < count; n += 1) yield { n };
  };
  const journal = hasJournal ? new StoreJournal({ store: new MemoryResultStore(), bucket: 'j' }) : undefined;
  const before = await heapUsed();
  const run = client.runBatch(payloads(), { maxConcurrentSessions: count, journal });
  const first = run.next();
  first.catch(() => undefined);
  await allAccepted;
  const bytes = ((await heapUsed()) - before) / count;
  expect(run.progress).toMatchObject({ submitted: count, active: count });
  expect(run.activeAttempts(3)).toMatchObject([{ id: '0' }, { id: '1' }, { id: '2' }]);
  return bytes;
}

it.each([
  ['', 6_000],
  [' with a journal', 7_000],
])('takes little memory for a rollout that waits for its result%s', async (how, mostBytes) => {
  // Code that is compiled by the first rollouts is no memory of theirs.
  await bytesOfWaiting(300, how !== '');
  expect(await bytesOfWaiting(2_000, how !== '')).toBeLessThan(mostBytes);
});
