import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LocalRuntime } from '@art/local';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startMockEngine } from '../gateway/engine/mock-engine.ts';
import { startCountingAgents } from './counting-agents.fixture.ts';
import { artMain, awsOfNobody, Talking } from './talking.fixture.ts';

/** The key of every server. */
export const lightningKey = 'agl-secret';

/** A server of Agent Lightning as its trainer sees it. */
export class LightningTrainer {
  readonly url: string;
  readonly #key: string;

  constructor(url: string, key = lightningKey) {
    this.url = url;
    this.#key = key;
  }

  async call(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }> {
    const reply = await fetch(this.url + path, {
      method,
      headers: {
        authorization: `Bearer ${this.#key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: reply.status, body: await reply.json() };
  }

  async enqueue(...rollouts: object[]): Promise<void> {
    expect((await this.call('POST', '/api/rollouts', rollouts)).status).toBe(201);
  }

  /** A rollout as the trainer reads it: its end, and of the events those of its last attempt. */
  async read(id: string): Promise<Reading> {
    const { body } = await this.call('GET', `/api/rollouts/${encodeURIComponent(id)}`);
    const { rollout, attempts } = body as { rollout: { status: Reading }; attempts: string[] };
    const events = (await this.call('GET', `/api/rollouts/${encodeURIComponent(id)}/events`))
      .body as Captured[];
    return {
      ...rollout.status,
      attempts: attempts.length,
      said: events.filter((event) => event.event_type === 'model_request').map(promptOf),
      rewards: events.filter((event) => event.event_type === 'reward').map(({ data }) => data),
    };
  }

  /** Waits until rollouts have ended. */
  async ended(...ids: string[]): Promise<Reading[]> {
    return vi.waitFor(
      async () => {
        const readings = await Promise.all(ids.map((id) => this.read(id)));
        for (const { state } of readings) expect(['succeeded', 'failed']).toContain(state);
        return readings;
      },
      { interval: 50 },
    );
  }
}

export interface Reading {
  state: string;
  last_attempt_id: string;
  error_message: string | null;
  attempts: number;
  /** The prompts of the calls. */
  said: string[];
  rewards: unknown[];
}

interface Captured {
  event_type: string;
  data: { request: { messages: { content: string }[] } };
}

function promptOf({ data }: Captured): string {
  return data.request.messages[0]!.content;
}

const changes = (id: string, status: object): [string, string, object] => [
  'PATCH',
  `/api/rollouts/${id}`,
  { status },
];
const attempt = { state: 'running', last_attempt_id: 'run.0' };
const reward = { event_type: 'reward', data: { value: 0.5, source: 'agent' } };

/** Calls of a trainer and a controller. */
const exchanges: readonly [method: string, path: string, body?: unknown][] = [
  ['GET', '/api/rollouts?state_in=queuing&limit=5'],
  [
    'POST',
    '/api/rollouts',
    [
      { rollout_id: 'x1', input: { n: 1 }, config: { timeout_seconds: 60 } },
      { rollout_id: 'x2', input: 'two', is_train: false },
      { rollout_id: 'x3', input: null },
    ],
  ],
  ['GET', '/api/rollouts?state_in=queuing&limit=2'],
  changes('x1', attempt),
  changes('x1', attempt),
  ['GET', '/api/rollouts?state_in=running&limit=5'],
  ['GET', '/api/rollouts?state_in=queuing&state_in=running'],
  changes('x2', { state: 'succeeded' }),
  changes('x2', { state: 'failed', error_message: 'ART_INVALID_PAYLOAD: no object' }),
  changes('x3', { state: 'failed', last_attempt_id: 'run.none' }),
  ['POST', '/api/rollouts/x1/attempt/run.0/events', reward],
  ['POST', '/api/rollouts/nobody/attempt/run.0/events', reward],
  ['GET', '/api/rollouts/x1/events'],
  changes('x1', { state: 'succeeded', last_attempt_id: 'run.1' }),
  changes('x1', { state: 'succeeded', last_attempt_id: 'run.1' }),
  changes('nobody', attempt),
  ['GET', '/api/rollouts/x1'],
  ['GET', '/api/rollouts/x1/events'],
  ['GET', '/api/rollouts/nobody'],
];

const succeeded = (n: number, reward = n): object => ({
  state: 'succeeded',
  attempts: 1,
  said: [`Task ${n}`],
  rewards: [{ value: reward, source: 'agent' }],
});

/**
 * Plays a controller against a server of Agent Lightning.
 * @param groups how many groups of four there are
 * @param start undefined where there is no such server
 */
export function describeController(
  name: string,
  groups: number,
  start: (() => Promise<AsyncDisposable & { url: string }>) | undefined,
): void {
  describe.skipIf(start === undefined)(`art collect --agent-lightning, before ${name}`, () => {
    const parts = new AsyncDisposableStack();
    let root: string;
    let state: string;
    let agents: LocalRuntime;
    let trainer: LightningTrainer;

    beforeAll(async () => {
      root = await mkdtemp(join(tmpdir(), 'art-lightning-'));
      parts.defer(() => rm(root, { recursive: true, force: true, maxRetries: 10 }));
      const engine = parts.use(
        await startMockEngine({ flavour: 'vllm', answer: () => ({ content: 'Good.' }), keepCalls: false }),
      );
      trainer = new LightningTrainer(parts.use(await start!()).url);
      const model = { model: 'policy', endpoint: `${engine.url}/v1` };
      await trainer.call('POST', '/api/models', [model]);
      agents = parts.use(await startCountingAgents(root));
    });

    afterAll(() => parts.disposeAsync());

    beforeEach(async () => {
      state = await mkdtemp(join(root, 'state-'));
      await writeFile(join(root, 'runs'), '');
    });

    const runs = async (): Promise<string[]> =>
      (await readFile(join(root, 'runs'), 'utf8'))
        .split('\n')
        .filter(Boolean)
        .map((line) => line.split(' ')[0]!);

    async function startController(...more: string[]): Promise<Talking> {
      const command = ['--conditions=@art/source', artMain, 'collect', '--state', state, '--json'];
      const runtime = ['--agent-runtime-arn', agents.arnOf('counting'), '--endpoint', agents.endpoint];
      const args = [...command, ...runtime, '--agent-lightning', trainer.url, ...more];
      const controller = new Talking(process.execPath, args, { ...awsOfNobody, AGL_KEY: lightningKey });
      await controller.until('ready');
      return controller;
    }

    it('answers as the real server was seen to', async () => {
      let text = '';
      for (const [method, path, body] of exchanges)
        text += `${JSON.stringify({ method, path, body, reply: await trainer.call(method, path, body) })}\n`;
      const timeless = text.replace(/(_at|timestamp)":[\d.]+/g, '$1":0');
      await expect(timeless).toMatchFileSnapshot('recorded-lightning.jsonl');
    });

    it('runs what waits, and says how each ended', async () => {
      const members = Array.from({ length: 4 * groups }, (_, at) => ({
        rollout_id: `member-${at}`,
        input: { n: 10 + Math.floor(at / 4) },
        is_train: at % 4 < 2,
      }));
      await trainer.enqueue(
        ...members,
        { rollout_id: 'fails', input: { n: 20, fails: true } },
        { rollout_id: 'dies-once', input: { n: 21, deaths: 1 } },
        { rollout_id: 'dies', input: { n: 22, deaths: 9 } },
        { rollout_id: 'unscored', input: { n: 23, reward: null } },
        { rollout_id: 'last-counts', input: { n: 24, reward: [0, 0.25] } },
        { rollout_id: 'text', input: 'no object' },
        { rollout_id: 'late', input: { n: 25, until: join(state, 'never') }, config: { timeout_seconds: 2 } },
        { rollout_id: 'a b%2F?c', input: { n: 26 } },
      );
      const controller = await startController('--concurrency', '6');
      const ids = members.map(({ rollout_id: id }) => id);
      for (const [at, reading] of (await trainer.ended(...ids)).entries())
        expect(reading).toMatchObject(succeeded(10 + Math.floor(at / 4)));
      const [fails, diesOnce, dies, unscored, lastCounts, noObject, late] = await trainer.ended(
        'fails',
        'dies-once',
        'dies',
        'unscored',
        'last-counts',
        'text',
        'late',
      );
      // An agent that failed is judged by the trainer: what it sampled is there, and no reward.
      expect(fails).toMatchObject({ state: 'failed', said: ['Task 20'], rewards: [] });
      expect(fails!.error_message).toMatch(/^agent_error ART_AGENT_ERROR: .*no answer was found/);
      // Of two attempts the trainer reads one.
      expect(diesOnce).toMatchObject({ ...succeeded(21), attempts: 2 });
      expect(diesOnce!.last_attempt_id).toMatch(/\.1$/);
      // A machine that died three times is no answer: the trainer finds nothing that it could train on.
      expect(dies).toMatchObject({ state: 'failed', attempts: 3, said: [], rewards: [] });
      expect(dies!.error_message).toMatch(/^lost ART_ROLLOUT_LOST: /);
      expect(unscored).toMatchObject({ state: 'succeeded', said: ['Task 23'], rewards: [] });
      expect(lastCounts).toMatchObject({ rewards: [{ value: 0.25 }] });
      expect(await trainer.ended('a b%2F?c')).toMatchObject([succeeded(26)]);
      expect(noObject).toMatchObject({ state: 'failed', attempts: 0 });
      expect(late).toMatchObject({ state: 'failed', said: [], rewards: [] });
      expect(late!.error_message).toContain('ART_ROLLOUT_TIMEOUT: ');
      const notices = controller.of('notice').map(({ message }) => message as string);
      expect(notices.filter((message) => message.includes('has no reward of its own'))).toHaveLength(1);
      await controller.kill('SIGINT');
      expect(controller.of('stopped')).toHaveLength(1);
      await vi.waitFor(() => expect(agents.metrics().liveSessions).toBe(0));
    });

    it('goes on after a kill, without a second run of what was under way', async () => {
      const go = join(state, 'go');
      const ids = ['k0', 'k1', 'k2', 'k3'];
      await trainer.enqueue(
        ...ids.map((id, at) => ({ rollout_id: id, input: { n: at, ...(at > 1 && { until: go }) } })),
      );
      const first = await startController('--bucket', 'results');
      await trainer.ended('k0', 'k1');
      await vi.waitFor(async () => expect(await runs()).toHaveLength(4));
      await first.kill();
      await trainer.enqueue({ rollout_id: 'k4', input: { n: 4 } });
      const second = await startController('--bucket', 'results');
      await trainer.ended('k4');
      expect(await trainer.read('k2')).toMatchObject({ state: 'running' });

      // A preempted machine: sessions work on.
      await second.kill('SIGTERM');
      expect(second.of('stopping')).toMatchObject([{ sessions: 'left' }]);
      await writeFile(go, '');
      const third = await startController('--bucket', 'results');
      expect(await trainer.ended('k2', 'k3')).toMatchObject([succeeded(2), succeeded(3)]);
      // It stops the sessions of what has ended.
      await third.kill('SIGINT');
      expect((await runs()).toSorted()).toEqual(['0', '1', '2', '3', '4']);
    });

    it('runs again what Ctrl-C has stopped', async () => {
      const go = join(state, 'go');
      await trainer.enqueue({ rollout_id: 'c0', input: { n: 7, until: go } });
      const first = await startController();
      await vi.waitFor(async () => expect(await runs()).toHaveLength(1));
      await first.kill('SIGINT');
      await vi.waitFor(() => expect(agents.metrics().liveSessions).toBe(0));
      expect(await trainer.read('c0')).toMatchObject({ state: 'running', said: [] });
      await writeFile(go, '');
      const second = await startController();
      const [again] = await trainer.ended('c0');
      expect(again).toMatchObject(succeeded(7));
      expect(again!.last_attempt_id).toMatch(/\.1$/);
      await second.kill('SIGINT');
    });

    it('leaves what another controller runs', async () => {
      await trainer.enqueue({ rollout_id: 'o0', input: { n: 8 } }, { rollout_id: 'o1', input: { n: 9 } });
      await trainer.call('PATCH', '/api/rollouts/o0', {
        status: { state: 'running', last_attempt_id: '0' },
      });
      await startController();
      await trainer.ended('o1');
      expect(await runs()).toEqual(['9']);
      expect(await trainer.read('o0')).toMatchObject({ state: 'running', last_attempt_id: '0' });
    });
  });
}
