import { FileJournal, RolloutClient, type BatchItem } from '@art/client';
import { HttpAgentRuntime, type LocalRuntime } from '@art/local';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shortlist } from '@art/tooling/thorough';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { pythonRuntimeAgent, scriptedAgent, startInteropRuntime } from './interop/interop-runtime.fixture.ts';
import { isPythonMissing, pythonExecutable } from './interop/provided-python.fixture.ts';

let local: LocalRuntime;
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'art-session-results-'));
  local = await startInteropRuntime({
    typescript: scriptedAgent,
    ...(!isPythonMissing && { python: pythonRuntimeAgent(pythonExecutable) }),
  });
});
afterAll(async () => {
  await local.close();
  vi.unstubAllEnvs();
  await rm(directory, { recursive: true });
});

const clientOn = (agent: string): RolloutClient =>
  new RolloutClient({
    runtime: new HttpAgentRuntime({ endpoint: local.endpoint, agentRuntimeArn: local.arnOf(agent) }),
    modelId: 'm',
  });

async function run(client: RolloutClient, payloads: object[], retry = {}): Promise<BatchItem[]> {
  const batch = client.runBatch(payloads as Record<string, unknown>[], {
    maxConcurrentSessions: 4,
    timeoutMs: 100_000,
    retry: { lost: 0, ...retry },
  });
  const items = await Array.fromAsync(batch);
  return items.toSorted((a, b) => a.index - b.index);
}

async function expectNoSessions(): Promise<void> {
  await vi.waitFor(() => expect(local.metrics().liveSessions).toBe(0));
}

describe.each(
  shortlist(
    [
      ["Python's AgentCoreRuntimeApp", 'python', isPythonMissing],
      ['our agent', 'typescript', false],
    ],
    1,
  ),
)('a client without a bucket on %s', (_name, agent, isMissing) => {
  it.skipIf(isMissing)('drives batches, with errors typed and every session stopped', async () => {
    await using client = clientOn(agent);
    const payloads = [
      { do: 'return', value: { reward: 0.5, text: 'é 日本 😀' } },
      { do: 'throw' },
      { do: 'exit' },
      { do: 'sleep', ms: 1_500 },
    ];
    const [plain, thrown, exited, slept] = await run(client, payloads);
    expect(plain!.outcome).toMatchObject({ kind: 'ok', reward: 0.5, document: { text: 'é 日本 😀' } });
    expect(thrown!.outcome).toMatchObject({
      kind: 'agent_error',
      error: { message: expect.stringContaining('the tool failed') as string },
    });
    expect(exited!.outcome).toMatchObject({
      kind: 'lost',
      error: { message: expect.stringMatching(/exited with code 9\..*last words/s) as string },
    });
    expect(slept!.outcome).toMatchObject({ kind: 'ok', reward: 1 });
    await expectNoSessions();
  });

  it.skipIf(isMissing)('drives groups and foreground calls, and a session of several turns', async () => {
    await using client = clientOn(agent);
    const inputs = [{ do: 'return', value: { reward: 1 } }];
    const options = { rolloutsPerInput: 2, maxConcurrentSessions: 4 };
    const [group] = await Array.fromAsync(client.runGroups(inputs, options));
    expect(group!.rewards).toEqual([1, 1]);
    const future = await client.invoke({ do: 'return', value: { reward: 1 } }, { background: false });
    expect(await future.outcome()).toMatchObject({ kind: 'ok', reward: 1 });
    await using session = client.session();
    expect(await session.invoke({ do: 'return', value: { turn: 1 } })).toMatchObject({ turn: 1 });
    await expect(session.invoke({ do: 'throw' })).rejects.toMatchObject({ code: 'ART_AGENT_ERROR' });
    expect(await session.invoke({ do: 'return', value: { turn: 3 } })).toMatchObject({ turn: 3 });
    await session.stop();
    await expectNoSessions();
  });

  it.skipIf(isMissing)('is resumed by ids while its sessions work on', async () => {
    const journal = new FileJournal({ directory: join(directory, agent) });
    const payloads = [300, 4_000].map((ms) => ({ do: 'sleep', ms }));
    const detach = new AbortController();
    const dying = clientOn(agent);
    const batch = dying.runBatch(payloads, {
      maxConcurrentSessions: 2,
      journal: { journal, runId: 'r' },
      detachSignal: detach.signal,
      onEvent: (event) => {
        if (event.type === 'accepted' && event.index === 1) detach.abort(new Error('preempted'));
      },
    });
    await expect(Array.fromAsync(batch)).rejects.toThrow('preempted');
    await dying.close();
    await using client = clientOn(agent);
    const items = await Array.fromAsync(client.resume({ journal, runId: 'r' }, payloads));
    expect(items.map(({ outcome, attempt }) => [outcome.kind, attempt])).toEqual(
      expect.arrayContaining([['ok', 0]]),
    );
    expect(items.at(-1)!.outcome).toMatchObject({ kind: 'ok', reward: 1 });
    await client.close();
    await expectNoSessions();
  });
});

it('tells that a process has died, and does not wait for its time to be over, with a store too', async () => {
  await using client = new RolloutClient({
    runtime: new HttpAgentRuntime({ endpoint: local.endpoint, agentRuntimeArn: local.arnOf('typescript') }),
    bucket: 'results',
    expId: 'dying',
  });
  const [item] = await run(client, [{ do: 'exit' }]);
  expect(item!.outcome).toMatchObject({
    kind: 'lost',
    error: { message: expect.stringMatching(/exited with code 9\..*last words/s) as string },
  });
});
