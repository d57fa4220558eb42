import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentLightningController } from '@art/collect';
import { takePort } from '@art/local';
import { FileResultStore } from '@art/store';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startMockEngine } from '../gateway/engine/mock-engine.ts';
import { HeldAgents } from './held-agents.fixture.ts';
import { describeController, lightningKey, LightningTrainer } from './lightning-cases.fixture.ts';
import { type LightningDouble, startLightningDouble } from './lightning-double.fixture.ts';

describeController('a double of its server', 1, () => startLightningDouble(lightningKey));

interface Bed {
  agents: HeldAgents;
  notices: string[];
  /** A server with a model. */
  startServer(port?: number): Promise<{ double: LightningDouble; trainer: LightningTrainer }>;
  start(url: string, key?: string): { controller: AgentLightningController; running: Promise<void> };
}

/** Agents in this process, and controllers for them over one folder. */
async function startBed(): Promise<Bed> {
  const directory = await mkdtemp(join(tmpdir(), 'art-lightning-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 10 }));
  const store = new FileResultStore({ root: join(directory, 'results') });
  const agents = new HeldAgents(store);
  onTestFinished(() => agents.close());
  const engine = await startMockEngine({ flavour: 'vllm', answer: () => ({ content: 'Good.' }) });
  onTestFinished(() => engine[Symbol.asyncDispose]());
  const notices: string[] = [];
  return {
    agents,
    notices,
    startServer: async (port) => {
      const double = await startLightningDouble(lightningKey, port);
      onTestFinished(() => double[Symbol.asyncDispose]());
      const trainer = new LightningTrainer(double.url);
      await trainer.call('POST', '/api/models', [{ model: 'policy', endpoint: `${engine.url}/v1` }]);
      return { double, trainer };
    },
    start: (url, key = lightningKey) => {
      const controller = new AgentLightningController({
        url,
        key,
        directory: join(directory, 'state'),
        client: { runtime: agents, store, bucket: 'results', watch: { lagBoundMs: 20 } },
        maxConcurrentSessions: 3,
        pollMs: 20,
        onNotice: (message) => notices.push(message),
      });
      onTestFinished(() => controller.close());
      const running = controller.run();
      running.catch(() => undefined);
      return { controller, running };
    },
  };
}

describe('AgentLightningController', () => {
  it('refuses a wrong key, and an address where something else is', async () => {
    const bed = await startBed();
    const { double } = await bed.startServer();
    const named = double.url.replace('//', '//user:secret@');
    expect(() => bed.start(named)).toThrow(/Expected `url` to be an address without .*\[redacted\]@127/);
    const denied = bed.start(double.url, 'other');
    await expect(denied.running).rejects.toMatchObject({ code: 'ART_AGENT_LIGHTNING_DENIED' });
    const elsewhere = bed.start(`${double.url}/somewhere`);
    await expect(elsewhere.running).rejects.toMatchObject({ code: 'ART_AGENT_LIGHTNING_REFUSED' });
    expect(bed.agents.started).toEqual([]);
  });

  it('waits for a server that is away, and says so once', async () => {
    const bed = await startBed();
    const port = await takePort();
    bed.start(`http://127.0.0.1:${port}/`);
    await vi.waitFor(() => expect(bed.notices).toHaveLength(1));
    const { double, trainer } = await bed.startServer(port);
    await trainer.enqueue({ rollout_id: 'a', input: { n: 1, hold: true } });
    await vi.waitFor(() => expect(bed.agents.started).toEqual([1]));
    for (const fault of [503, 429, 500]) {
      double.fault = fault;
      bed.agents.release();
      await vi.waitFor(() => expect(bed.notices.at(-1)).toContain(`it answered ${fault}`));
      double.fault = undefined;
      await vi.waitFor(() => expect(bed.notices.at(-1)).toContain('answers again'));
    }
    expect(await trainer.ended('a')).toMatchObject([{ state: 'succeeded', said: ['Task 1'] }]);
    expect(bed.notices.filter((message) => message.startsWith('Waiting'))).toHaveLength(4);
  });

  it('knows its own claims and ends, though the answers to them are lost', async () => {
    const bed = await startBed();
    const { double, trainer } = await bed.startServer();
    const rollouts = ['a', 'b'].map((id, n) => ({ rollout_id: id, input: { n, hold: true } }));
    await trainer.enqueue(...rollouts);
    const lost = async (state: string): Promise<void> => {
      double.losesAnswers = true;
      await vi.waitFor(() =>
        expect([...double.rollouts.values()].some(({ status }) => status.state === state)).toBe(true),
      );
      double.losesAnswers = false;
    };
    bed.start(double.url);
    await lost('running');
    await vi.waitFor(() => expect(bed.agents.started).toHaveLength(2));
    bed.agents.release();
    await lost('succeeded');
    for (const reading of await trainer.ended('a', 'b'))
      expect(reading).toMatchObject({ state: 'succeeded', attempts: 1 });
    expect(bed.notices.filter((message) => message.includes('did not take that'))).toEqual([]);
  });

  it('gives up what a dead controller has left, after its time', async () => {
    const bed = await startBed();
    const { double, trainer } = await bed.startServer();
    const ids = ['old', 'young', 'unbounded'];
    await trainer.enqueue(
      ...ids.map((id, n) => ({
        rollout_id: id,
        input: { n },
        config: { timeout_seconds: id === 'unbounded' ? 0 : 600 },
      })),
    );
    for (const id of ids)
      await trainer.call('PATCH', `/api/rollouts/${id}`, {
        status: { state: 'running', last_attempt_id: '0' },
      });
    for (const id of ['old', 'unbounded'])
      double.rollouts.get(id)!.status['updated_at'] = Date.now() / 1_000 - 700;
    bed.start(double.url);
    const [old] = await trainer.ended('old');
    expect(old).toMatchObject({ state: 'failed', said: [], rewards: [] });
    expect(old!.error_message).toMatch(/^ART_ROLLOUT_LOST: .* 600 s/);
    expect(await trainer.read('young')).toMatchObject({ state: 'running' });
    expect(await trainer.read('unbounded')).toMatchObject({ state: 'running' });
    expect(bed.agents.started).toEqual([]);
  });

  it('leaves a folder to the controller that has it', async () => {
    const bed = await startBed();
    const { double, trainer } = await bed.startServer();
    await trainer.enqueue({ rollout_id: 'a', input: { n: 1, hold: true } });
    bed.start(double.url);
    await vi.waitFor(() => expect(bed.agents.started).toEqual([1]));
    await expect(bed.start(double.url).running).rejects.toMatchObject({ code: 'ART_JOURNAL_LOCKED' });
    bed.agents.release();
    expect(await trainer.ended('a')).toMatchObject([{ state: 'succeeded', attempts: 1 }]);
  });

  it('shares a server with another controller', async () => {
    const [one, other] = [await startBed(), await startBed()];
    const { double, trainer } = await one.startServer();
    const ids = Array.from({ length: 30 }, (_, at) => `s${at}`);
    await trainer.enqueue(...ids.map((id, n) => ({ rollout_id: id, input: { n } })));
    one.start(double.url);
    other.start(double.url);
    for (const reading of await trainer.ended(...ids))
      expect(reading).toMatchObject({ state: 'succeeded', attempts: 1 });
    const started = [...one.agents.started, ...other.agents.started];
    expect([started.length, new Set(started).size]).toEqual([30, 30]);
    expect([one.agents.started.length, other.agents.started.length]).not.toContain(0);
    expect([...one.notices, ...other.notices]).toEqual([]);
  });

  it('takes no more than it has room for, and goes on where its trainer has deleted a rollout', async () => {
    const bed = await startBed();
    const { double, trainer } = await bed.startServer();
    const ids = Array.from({ length: 60 }, (_, at) => `r${at}`);
    await trainer.enqueue(...ids.map((id, n) => ({ rollout_id: id, input: { n, hold: true, turns: 0 } })));
    bed.start(double.url);
    await vi.waitFor(() => expect(bed.agents.started).toHaveLength(3));
    const states = [...double.rollouts.values()].map(({ status }) => status.state);
    expect(states.filter((state) => state === 'running')).toHaveLength(3);
    double.rollouts.delete('r1');
    bed.agents.release();
    await trainer.ended(...ids.filter((id) => id !== 'r1'));
    expect(bed.agents.started).toHaveLength(60);
    expect(bed.notices.some((message) => message.startsWith('Rollout r1 ended as'))).toBe(true);
  });
});
