import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { evaluate, type EvalRun } from '@art/eval';
import { FaultInjection } from '@art/local/faults';
import { FileObjectBackend, startLocalRuntime } from '@art/local';
import { RolloutClient } from '@art/rollout';
import { FileResultStore } from '@art/store';
import { expect, it, onTestFinished } from 'vitest';
import { runArt } from './art-eval.fixture.ts';

const agent = join(import.meta.dirname, '../agents/storing-agent.mjs');
const tasks = Array.from({ length: 12 }, (_, at) => ({
  id: `t${at}`,
  payload: { reward: [0, 1, 0.25][at % 3]! },
}));
const dying = {
  seed: 11,
  rules: [{ when: { operation: 'invoke' }, fault: { kind: 'kill', moment: 'before' }, probability: 0.3 }],
} as const;

it(
  'machines that die are tried again, then excluded, and never change what is said of the agent',
  { timeout: 240_000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'art-eval-faults-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
    const root = join(folder, 'results');
    const faults = new FaultInjection();
    const backend = new FileObjectBackend({ root });
    await backend.createBucket('results');
    const local = await startLocalRuntime({
      agents: { storing: { command: [process.execPath, agent], env: { RESULT_ROOT: root, RUN_MS: '20' } } },
      faults,
      s3: { backend, buckets: ['results'] },
    });
    onTestFinished(() => local.close());
    const client = new RolloutClient({
      runtime: local.runtime('storing'),
      store: new FileResultStore({ root }),
      bucket: 'results',
      expId: 'e',
      watch: { lagBoundMs: 50 },
    });
    onTestFinished(() => client.close());
    const run = (name: string, lost: number): Promise<EvalRun> =>
      evaluate({
        agent: client,
        tasks,
        folder: join(folder, name),
        retry: { lost },
        concurrency: 6,
        seed: 4,
      });

    const calm = await run('calm', 0);
    expect(calm.mean).toMatchObject({ method: 't', samples: 12 });
    faults.setPlan(dying);
    const retried = await run('retried', 9);
    expect(retried.results.retried).toBeGreaterThan(1);
    expect(retried.results.retriedAfter).toEqual({ lost: retried.results.retried });
    expect(retried.results).toMatchObject({ outcomes: { ok: 12 }, excluded: { count: 0, isTrusted: true } });
    expect(retried.mean).toEqual(calm.mean);
    expect(retried.passAt(1)).toEqual(calm.passAt(1));

    faults.setPlan(dying);
    const untried = await run('untried', 0);
    const { lost } = untried.results.outcomes;
    expect(lost).toBeGreaterThan(1);
    expect(untried.results).toMatchObject({
      samples: { recorded: 12, scored: 12 - lost! },
      excluded: { count: lost, isTrusted: false, byReason: { lost } },
    });
    for await (const { outcome, score, taskId } of untried.samples())
      expect({ taskId, score }).toEqual({
        taskId,
        score: outcome === 'ok' ? tasks.find(({ id }) => id === taskId)!.payload.reward : null,
      });
    expect(untried.check({ minReward: 0.1 }).verdict).toBe('not_judged');

    // What AWS refuses is not the agent's doing either: two of six are too many for a verdict.
    const refusal = {
      when: { operation: 'invoke' },
      fault: { kind: 'error', status: 403 },
      nth: [2, 4],
    } as const;
    faults.setPlan({ seed: 1, rules: [refusal] });
    await writeFile(join(folder, 'tasks.json'), JSON.stringify(tasks));
    const target = [
      '--agent-runtime-arn',
      local.arnOf('storing'),
      '--bucket',
      'results',
      '--endpoint',
      local.endpoint,
    ];
    const told = await runArt(
      folder,
      'eval',
      ...target,
      '--tasks',
      'tasks.json',
      '--limit',
      '6',
      '--min-reward',
      '0.1',
    );
    expect(told).toMatchObject({
      code: 3,
      output: expect.stringMatching(/2 rejected[^]*not to be trusted/) as string,
    });
  },
);
