import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { RolloutClient, type BatchItem } from '@art/client';
import { startLocalRuntime, type LocalRuntime } from '@art/local';
import { FileResultStore } from '@art/store';
import { isRunning } from '@art/tooling/is-running';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const agents = join(import.meta.dirname, 'agents');
let root: string;
let local: LocalRuntime;
let store: FileResultStore;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'art-outcomes-'));
  store = new FileResultStore({ root: join(root, 'results') });
  local = await startLocalRuntime({
    logDir: join(root, 'logs'),
    stopGraceMs: 2_000,
    agents: {
      scripted: {
        command: [process.execPath, '--conditions=@art/source', join(agents, 'scripted-agent.ts')],
        env: { ART_RESULT_STORE: pathToFileURL(join(root, 'results')).href },
      },
      rogue: { command: [process.execPath, join(agents, 'rogue-agent.mjs')] },
      crashing: { command: [process.execPath, join(agents, 'rogue-agent.mjs'), 'crash'] },
    },
  });
});

afterAll(async () => {
  const pids = local.sessions().flatMap((session) => session.pid ?? []);
  await local.close();
  expect(pids.length).toBeGreaterThan(0);
  expect(pids.filter(isRunning)).toEqual([]);
  await rm(root, { recursive: true, force: true, maxRetries: 10 });
});

async function run(
  agent: string,
  payloads: Record<string, unknown>[],
  timeoutMs = 100_000,
  baseUrl?: string,
): Promise<BatchItem[]> {
  await using client = new RolloutClient({
    runtime: local.runtime(agent),
    store,
    bucket: 'results',
    expId: 'outcomes',
    baseUrl,
  });
  const options = { maxConcurrentSessions: 4, timeoutMs, retryDelayMs: () => 50 };
  const items = await Array.fromAsync(client.runBatch(payloads, options));
  return items.toSorted((a, b) => a.index - b.index);
}

const live = (): number =>
  local.sessions().filter((session) => session.state === 'ready' || session.state === 'starting').length;

describe('an agent on our server', () => {
  it('types what became of each rollout, with a message that lets a user act', async () => {
    const items = await run('scripted', [
      { do: 'reward', value: 'é 😀' },
      { do: 'throw' },
      { do: 'nan' },
      { do: 'list' },
      { do: 'large', bytes: 1_000_000 },
      { do: 'large', bytes: 50_000_000 },
      { do: 5 },
    ]);
    expect(items.map((item) => item.outcome.kind)).toEqual([
      'ok',
      'agent_error',
      'ok',
      'agent_error',
      'ok',
      'ok',
      'rejected',
    ]);
    expect(items[0]!.outcome).toMatchObject({
      reward: 1,
      document: { echo: 'é 😀', payload: { do: 'reward' } },
    });
    expect(messageOf(items[1]!)).toMatch(/the tool failed/);
    expect(items[2]!.outcome).toMatchObject({
      reward: undefined,
      document: { rewards: [1, null] },
      rewardProblem: { message: expect.stringContaining('got null') as string },
    });
    expect(messageOf(items[3]!)).toMatch(/an array of 2/);
    expect((items[5]!.outcome as unknown as { document: { text: string } }).document.text).toHaveLength(
      50_000_000,
    );
    expect(messageOf(items[6]!)).toMatch(/HTTP 424.*\(400\)/);
    expect(live()).toBe(0);
  });

  it('tells a model endpoint that is down from an agent that fails, and tries again', async () => {
    const baseUrl = 'http://no-such-host.invalid/v1';
    const [item] = await run('scripted', [{ do: 'model' }], undefined, baseUrl);
    expect(item!.outcome).toMatchObject({
      kind: 'infra_error',
      document: { status_code: 503, stop_reason: 'infrastructure_error', endpoint: baseUrl },
    });
    expect(item!.attempts.map(({ outcome }) => outcome!.kind)).toEqual(Array(3).fill('infra_error'));
    expect(messageOf(item!)).toMatch(
      /^The model endpoint http:\/\/no-such-host\.invalid\/v1 could not be reached from where the agent runs: .*no-such-host.* Then the handler failed: .*--reach session/,
    );
    expect(live()).toBe(0);
  });

  it('tells a session that died from one that is late', async () => {
    // The one that died gets two more sessions, which a busy machine starts slowly; the late one is waited for in full.
    const [[died], [late]] = await Promise.all([
      run('scripted', [{ do: 'exit' }]),
      run('scripted', [{ do: 'hang' }], 8_000),
    ]);
    expect([died!.outcome.kind, late!.outcome.kind]).toEqual(['lost', 'timeout']);
    expect(messageOf(died!)).toContain(died!.sessionId);
    expect(live()).toBe(0);
  });
});

describe('an agent that is none of ours', () => {
  it('is refused when it answers garbage or another key', async () => {
    const items = await run(
      'rogue',
      ['garbage', 'html', 'wrong-key', 'no-key', 'refuse', 'exit-now'].map((name) => ({ do: name })),
    );
    expect(items.map((item) => item.outcome.kind)).toEqual([
      'rejected',
      'rejected',
      'rejected',
      'rejected',
      'rejected',
      'lost',
    ]);
    expect(messageOf(items[2]!)).toMatch(/announced "elsewhere\/x\.json"/);
    expect(messageOf(items[4]!)).toMatch(/\(500\)/);
    expect(live()).toBe(0);
  });

  it('says why a session did not start', async () => {
    const [item] = await run('crashing', [{ do: 'reward' }]);
    expect(item!.outcome).toMatchObject({ kind: 'lost', error: { code: 'ART_RUNTIME_START_FAILED' } });
    expect(item!.attempts).toHaveLength(3);
    expect(messageOf(item!)).toMatch(/did not start: Error: MODEL_ID is not set\..*code 3/s);
    expect(live()).toBe(0);
  });
});

function messageOf(item: BatchItem): string {
  return 'error' in item.outcome ? item.outcome.error.message : '';
}
