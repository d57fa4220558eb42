import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { RolloutClient, type RolloutGatewayOptions, type TrainingRow } from '@art/client';
import { startGateway, type GatewayOptions } from '@art/gateway';
import {
  checkRolloutRows,
  toSageMakerDatum,
  toSlimeSample,
  toTrlBatch,
  toVerlAgentLoopOutputs,
  type TrainChoice,
} from '@art/trajectories';
import { GatewayClient } from '@art/gateway-client';
import { startLocalRuntime, type LocalRuntime } from '@art/local';
import { FileResultStore } from '@art/store';
import { shortlist } from '@art/tooling/thorough';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startMockEngine, type MockEngine } from '../gateway/engine/mock-engine.ts';

let root: string;
let local: LocalRuntime;
let store: FileResultStore;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'art-captured-'));
  store = new FileResultStore({ root: join(root, 'results') });
  const agent = join(import.meta.dirname, 'model-agent.ts');
  local = await startLocalRuntime({
    logDir: join(root, 'logs'),
    stopGraceMs: 2_000,
    agents: {
      model: {
        command: [process.execPath, '--conditions=@art/source', agent],
        env: { ART_RESULT_STORE: pathToFileURL(join(root, 'results')).href },
      },
    },
  });
});

afterAll(async () => {
  await local.close();
  await rm(root, { recursive: true, force: true, maxRetries: 10 });
});

interface Bed {
  client: RolloutClient;
  engine: MockEngine;
  control: GatewayClient;
  url: string;
}

async function startBed(
  options: { gateway?: GatewayOptions; rollouts?: Partial<RolloutGatewayOptions> } = {},
): Promise<Bed> {
  const engine = await startMockEngine({
    flavour: 'vllm',
    answer: (_request, callNumber) => ({ content: `This is answer ${callNumber}.` }),
  });
  onTestFinished(() => engine[Symbol.asyncDispose]());
  const workers = [{ url: engine.url, flavour: 'vllm' as const }];
  const gateway = await startGateway({ port: 0, logLevel: 'silent', workers, ...options.gateway });
  onTestFinished(() => gateway.close());
  const { url } = gateway;
  const adminToken = options.gateway?.auth?.adminToken;
  const client = new RolloutClient({
    runtime: local.runtime('model'),
    store,
    bucket: 'results',
    expId: 'captured',
    gateway: { url, adminToken, ...options.rollouts },
  });
  onTestFinished(() => client.close());
  return { client, engine, control: new GatewayClient({ url, adminToken }), url };
}

/** The sampled parts of rows, each as text, so that lists can be compared whatever their order. */
function sampledParts(rows: readonly TrainingRow[]): string[] {
  return rows
    .flatMap((row) =>
      row.turn_spans.map(({ start, end }) =>
        JSON.stringify([
          row.token_ids.slice(row.prompt_length + start, row.prompt_length + end),
          row.logprobs.slice(start, end).map(Math.fround),
        ]),
      ),
    )
    .toSorted();
}

function withAdvantages(row: TrainingRow): TrainingRow {
  return { ...row, advantages: row.loss_mask };
}

/** The same of what the engine sent in calls of some sessions. */
function sentParts({ calls }: Pick<MockEngine, 'calls'>): string[] {
  return calls
    .flatMap(({ answer }) => answer?.choices ?? [])
    .map(({ tokens }) =>
      JSON.stringify([tokens.map(({ id }) => id), tokens.map(({ logprob }) => Math.fround(logprob))]),
    )
    .toSorted();
}

describe('rollouts through a gateway', () => {
  it('become training rows with every token that was sampled, once', async () => {
    const { client, engine, control } = await startBed({
      gateway: { auth: { adminToken: 'admin', sessionKeys: true } },
    });
    const payloads = [1, 2, 3].map((turns) => ({ turns, reward: turns / 4 }));
    const rows: TrainingRow[] = [];
    for await (const item of client.runBatch(payloads, {
      maxConcurrentSessions: 3,
      inputId: (_payload, index) => `q${index}`,
    })) {
      const trajectory = await item.trajectory();
      expect(trajectory.summary).toMatchObject({
        turns: item.index + 1,
        maskedTurns: [],
        unfinishedCalls: 0,
      });
      checkRolloutRows(trajectory.rows);
      expect(trajectory.rows.at(-1)).toMatchObject({
        rollout_id: item.sessionId,
        group_id: `q${item.index}`,
        reward: payloads[item.index]!.reward,
      });
      rows.push(...trajectory.rows);
      // The key that opens the session stays out of what is stored.
      const document = await store.get({ bucket: 'results', key: item.resultKey! });
      expect(document).toContain('"api_key"');
      expect(document).not.toContain('sk-art-');
      const status = await control.trajectory(item.sessionId);
      expect(status).toMatchObject({ state: 'finished', in_flight: 0 });
    }
    expect(engine.calls).toHaveLength(6);
    expect(sampledParts(rows)).toEqual(sentParts(engine));
  });

  it('leave nothing behind that failed, and groups count it', async () => {
    const { client, control, url } = await startBed();
    const groups = client.runGroups(
      [
        { turns: 1, reward: 1 },
        { turns: 1, reward: 0, ending: 'throw' },
      ],
      {
        rolloutsPerInput: 2,
        minGroupSize: 1,
        maxConcurrentSessions: 4,
      },
    );
    const collected = new Map<number, { rows: readonly TrainingRow[]; without: readonly unknown[] }>();
    for await (const group of groups) collected.set(group.index, await group.rows());
    expect(collected.get(0)!.rows).toMatchObject([{ reward: 1 }, { reward: 1 }]);
    expect(collected.get(0)!.rows.flatMap((row) => row.advantages)).not.toContain(undefined);
    expect(collected.get(1)).toMatchObject({
      rows: [],
      without: [{ reason: 'masked' }, { reason: 'masked' }],
    });
    const kept = collected.get(0)!.rows.map((row) => row.session_id);
    expect((await control.sessions()).map((session) => session.session_id).toSorted()).toEqual(
      kept.toSorted(),
    );
    // What an agent still sends after the end is refused, and reaches no engine.
    const late = await fetch(`${url}/sessions/${kept[0]}/v1/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'late' }] }),
    });
    expect(late.status).toBe(410);
  });

  it('are dropped when they are cancelled in the middle', async () => {
    const { client, engine, control } = await startBed();
    const future = await client.invoke({ turns: 1, reward: 0, ending: 'hang' });
    await expect.poll(() => engine.calls.length).toBe(1);
    await future.cancel();
    expect((await future.trajectory()).rows).toEqual([]);
    expect(await control.sessions()).toEqual([]);
  });

  it.each(
    shortlist<[string, TrainChoice | undefined, string[]]>(
      [
        ['all', undefined, ['m', 'judge']],
        ['a label', { labels: ['planner'] }, ['m']],
        ['a model', { models: ['m'] }, ['m']],
        ['the other model', { models: ['judge'] }, ['judge']],
        ['the first conversation', { lineage: 'first' }, ['m']],
      ],
      2,
    ),
  )('train the agents that were chosen: %s', async (_, trains, models) => {
    const { client, engine } = await startBed({ rollouts: { trains } });
    const future = await client.invoke({ turns: 2, reward: 1, judged: true });
    const { rows, summary } = await future.trajectory();
    checkRolloutRows(rows);
    const calls = engine.calls.filter(({ request }) => models.includes(request['model'] as string));
    expect(sampledParts(rows)).toEqual(sentParts({ calls }));
    expect(summary!.maskedTurns.map(({ reason }) => reason)).toEqual(
      Array.from({ length: 4 - calls.length }, () => 'not_chosen'),
    );
    const trained = rows.flatMap((row) => row.loss_mask).filter((mask) => mask === 1).length;
    const masks = [
      rows.map((row) => toSlimeSample(row, { index: 0, groupIndex: 0 }).loss_mask),
      toVerlAgentLoopOutputs(rows).map((output) => output.response_mask),
      rows.map((row) => toSageMakerDatum(withAdvantages(row)).lossFnInputs.weights.data),
      toTrlBatch(rows).env_mask,
    ];
    for (const mask of masks) expect(mask.flat().filter((one) => one === 1)).toHaveLength(trained);
  });

  it('say so where a misspelt label leaves nothing to train', async () => {
    const { client } = await startBed({ rollouts: { trains: { labels: ['plannr'] } } });
    const groups = client.runGroups([{ turns: 1, reward: 1, judged: true }], {
      rolloutsPerInput: 2,
      maxConcurrentSessions: 2,
    });
    for await (const group of groups)
      expect(await group.rows()).toMatchObject({
        rows: [],
        without: [0, 1].map((member) => ({
          member,
          reason: 'not_chosen',
          problem: expect.stringContaining('label "planner", not "plannr"') as string,
        })),
      });
  });

  it('keep to the limits that sessions were given', async () => {
    const { client, engine } = await startBed({
      rollouts: { maxTurns: 2, samplingDefaults: { temperature: 0.25 }, metadata: { run: 'limits' } },
    });
    const future = await client.invoke({ turns: 5, reward: 1 });
    expect(await future.result()).toMatchObject({ statuses: [200, 200, 429] });
    const { rows, summary } = await future.trajectory();
    expect(summary).toMatchObject({ turns: 2 });
    expect(rows[0]).toMatchObject({ metadata: { run: 'limits', outcome: 'ok' } });
    expect(rows.flatMap((row) => row.turn_spans.map((span) => span.temperature))).toEqual([0.25, 0.25]);
    expect(engine.calls).toHaveLength(2);
  });
});
