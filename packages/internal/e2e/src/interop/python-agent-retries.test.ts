import { FileJournal, RolloutClient } from '@art/client';
import { FaultInjection, type FaultPlan } from '@art/local/faults';
import { HttpAgentRuntime, type LocalRuntime } from '@art/local';
import { S3ResultStore } from '@art/store-s3';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { pythonAgent, scriptedAgent, startInteropRuntime } from './interop-runtime.fixture.ts';
import { isPythonMissing, pythonExecutable } from './provided-python.fixture.ts';

const faults = new FaultInjection();
let local: LocalRuntime;
let directory: string;

// Each kind of failure after which the client is not sure what has become of a rollout.
const plan: FaultPlan = {
  seed: 1,
  rules: [
    { when: { operation: 'invoke' }, fault: { kind: 'reset', moment: 'before' }, nth: 1 },
    { when: { operation: 'invoke' }, fault: { kind: 'error', status: 503, moment: 'after' }, nth: 2 },
    { when: { operation: 'invoke' }, fault: { kind: 'kill', afterMs: 500 }, nth: 4 },
  ],
};

describe.skipIf(isPythonMissing)("agents under the client's retries", () => {
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'art-retries-'));
    local = await startInteropRuntime(
      { python: pythonAgent(pythonExecutable), typescript: scriptedAgent },
      2,
      faults,
    );
  });
  afterAll(async () => {
    await local.close();
    await rm(directory, { recursive: true, force: true, maxRetries: 10 });
    vi.unstubAllEnvs();
  });

  it('a Python agent is never asked for its state, ours is', async () => {
    for (const agent of ['python', 'typescript']) {
      const seen = local.endpointLog().at(-1)?.seq ?? 0;
      faults.setPlan(plan);
      expect(await runOn(agent)).toEqual(['ok', 'ok', 'ok', 'ok']);
      const log = local.endpointLog(seen);
      const invoked = log.filter((entry) => entry.kind === 'invoked');
      // Every rollout of this client starts an invocation; what starts none is a question.
      const questions = invoked.filter((entry) => entry.invocationId === undefined);
      expect(invoked.length).toBeGreaterThan(4);
      if (agent === 'python') expect(questions).toEqual([]);
      else expect(questions.length).toBeGreaterThan(0);
      const struck = faults.injected().filter((fault) => fault.agent === agent);
      expect(new Set(struck.map((fault) => fault.kind))).toEqual(new Set(['reset', 'error', 'kill']));
    }
  });
});

/** Rollouts that take much longer than the client thinks that they should. */
async function runOn(agent: string): Promise<string[]> {
  const runtime = new HttpAgentRuntime({ endpoint: local.endpoint, agentRuntimeArn: local.arnOf(agent) });
  const store = new S3ResultStore();
  await using client = new RolloutClient({
    runtime,
    store,
    bucket: 'results',
    expId: `retries-${agent}`,
    liveness: { firstAfterMs: 100, everyMs: 200 },
  });
  const payloads = [2_500, 2_600, 2_700, 2_800].map((ms) => ({ do: 'sleep', ms }));
  const items = await Array.fromAsync(
    client.runBatch(payloads, {
      maxConcurrentSessions: 4,
      timeoutMs: 30_000,
      journal: new FileJournal({ directory: join(directory, agent) }),
      retry: { lost: 5, rejected: 5, timeout: 5 },
    }),
  );
  runtime.close();
  await store.close();
  return items.map((item) => item.outcome.kind);
}
