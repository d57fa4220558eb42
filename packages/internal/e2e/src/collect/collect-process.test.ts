import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pythonFolder } from '@art/collect';
import { readRunRollouts, recogniseRun } from '@art/eval/records';
import { startGateway } from '@art/gateway';
import { type LocalRuntime, takePort } from '@art/local';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type MockEngine, startMockEngine } from '../gateway/engine/mock-engine.ts';
import { usePlainPython } from '../interop/plain-python.fixture.ts';
import { startCountingAgents } from './counting-agents.fixture.ts';
import { artMain, awsOfNobody, Talking } from './talking.fixture.ts';

let root: string;
let agents: LocalRuntime;
let engine: MockEngine;
let gatewayUrl: string;
const python = usePlainPython();
let state: string;
const parts = new AsyncDisposableStack();

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'art-collect-'));
  parts.defer(() => rm(root, { recursive: true, force: true, maxRetries: 10 }));
  engine = parts.use(
    await startMockEngine({ flavour: 'vllm', answer: () => ({ content: 'Good.' }), keepCalls: false }),
  );
  const workers = [{ url: engine.url, flavour: 'vllm' as const }];
  const gateway = parts.adopt(await startGateway({ port: 0, logLevel: 'silent', workers }), (opened) =>
    opened.close(),
  );
  gatewayUrl = gateway.url;
  agents = parts.use(await startCountingAgents(root));
});

afterAll(() => parts.disposeAsync());

beforeEach(async () => {
  state = await mkdtemp(join(root, 'state-'));
  await writeFile(join(root, 'runs'), '');
});

function sidecarCommand(): string[] {
  const command = ['--conditions=@art/source', artMain, 'collect', '--state', state];
  const runtime = ['--agent-runtime-arn', agents.arnOf('counting'), '--endpoint', agents.endpoint];
  return [...command, ...runtime, '--bucket', 'results', '--gateway', gatewayUrl];
}

async function startSidecar(port = '0', ...more: string[]): Promise<Talking & { url: string }> {
  const args = [...sidecarCommand(), '--port', port, '--json', ...more];
  const sidecar = new Talking(process.execPath, args, awsOfNobody);
  const { url } = await sidecar.until('ready');
  return Object.assign(sidecar, { url: url as string });
}

function startTrainer(task: object): Talking {
  return new Talking(python, [join(import.meta.dirname, 'trainer.py'), JSON.stringify(task)], {
    PYTHONPATH: pythonFolder,
  });
}

const runs = async (): Promise<string[]> =>
  (await readFile(join(root, 'runs'), 'utf8')).split('\n').filter(Boolean);

describe('art collect and a trainer in Python', () => {
  it('lose nothing and run nothing twice when either is killed in the middle', async () => {
    const go = join(state, 'go');
    const inputs = [{ n: 0 }, { n: 1 }, { n: 2, until: go }];
    const request = { request_id: 'run7-step-1', inputs, rollouts_per_input: 2, row_format: 'trl' };
    // Bound again after a kill: a port that no listener without a wish gets meanwhile.
    const port = String(await takePort());
    const sidecar = await startSidecar(port);
    const task = { url: sidecar.url, request, acknowledge: [0] };

    const first = startTrainer(task);
    await first.until('group', 2);
    await first.until('acknowledged');
    await vi.waitFor(async () => expect(await runs()).toHaveLength(6));
    await first.kill();

    const second = startTrainer(task);
    const again = await second.until('group');
    expect(again).toEqual(first.of('group').find(({ id }) => id === 'run7-step-1-1'));
    await sidecar.kill();
    const next = await startSidecar(port);
    await writeFile(go, '');
    await second.until('end');
    expect(second.of('group').map(({ id }) => id)).toEqual(['run7-step-1-1', 'run7-step-1-2']);
    expect(second.of('group')[1]).toMatchObject({
      n: 2,
      rewards: [2, 2],
      rows: { reward: [2, 2], env_mask: expect.any(Array) as unknown[] },
    });
    await second.ended;

    // Six sessions for six rollouts: nobody was invoked twice.
    const sessions = (await runs()).map((line) => line.split(' ')[1]);
    expect([sessions.length, new Set(sessions).size]).toEqual([6, 6]);
    await vi.waitFor(() => expect(agents.metrics().liveSessions).toBe(0));
    await next.kill('SIGTERM');
    expect(next.of('stopped')).toHaveLength(1);

    // Its last group: nothing is wrong with its rollouts, whose calls were counted. What waits for the trainer can be read.
    expect(next.of('health')).toMatchObject([{ rollouts: 2 }]);
    expect(
      (next.of('health')[0]!['findings'] as { check: string }[]).map(({ check }) => check),
    ).not.toContain('no_model_calls');
    const waiting = await Array.fromAsync(readRunRollouts((await recogniseRun(state))!));
    expect(waiting.map(({ id, reward, failedCalls }) => ({ id, reward, failedCalls }))).toEqual(
      [1, 2].flatMap((group) =>
        [0, 1].map((member) => ({ id: `run7-step-1-${group}#${member}`, reward: group, failedCalls: 0 })),
      ),
    );
    expect(waiting.every(({ modelCalls }) => modelCalls! > 0)).toBe(true);
  });

  it('cancel, drain and refuse', async () => {
    const sidecar = await startSidecar('0', '--token', 'secret');
    const inputs = [{ n: 5, until: join(state, 'never') }];
    const request = { request_id: 'a', inputs, rollouts_per_input: 2 };
    const denied = startTrainer({ url: sidecar.url, request });
    expect(await denied.until('refused')).toMatchObject({ code: 'ART_COLLECT_DENIED', status: 401 });
    const task = { url: sidecar.url, token: 'secret', request };
    const wrong = startTrainer({ ...task, request: { ...request, rollouts_per_input: 0 } });
    expect(await wrong.until('refused')).toMatchObject({ code: 'ART_INVALID_OPTION', status: 400 });

    const working = startTrainer(task);
    await vi.waitFor(async () => expect(await runs()).toHaveLength(2));
    const nothing = { request_id: 'a', inputs: [{ n: 6 }], rollouts_per_input: 2 };
    const calls = [
      ['drain', [0.2]],
      ['cancel', ['a']],
      ['drain', []],
      ['resume', []],
    ];
    const operator = startTrainer({ ...task, request: nothing, calls });
    expect(await operator.until('refused')).toMatchObject({ code: 'ART_COLLECT_REQUEST_CHANGED' });
    await operator.until('resume');
    expect(operator.of('drain').map(({ result }) => result)).toEqual([1, 0]);
    expect(await working.until('refused')).toMatchObject({ code: 'ART_COLLECT_CANCELLED', status: null });
    await vi.waitFor(() => expect(agents.metrics().liveSessions).toBe(0));
  });

  it('speak over pipes as well', async () => {
    const sidecar = new Talking(process.execPath, [...sidecarCommand(), '--stdio'], awsOfNobody);
    const say = (message: object): unknown => sidecar.child.stdin!.write(`${JSON.stringify(message)}\n`);
    say({ op: 'groups', request_id: 'p', inputs: [{ n: 1 }], rollouts_per_input: 1 });
    expect(await sidecar.until('group')).toMatchObject({ id: 'p-0', rewards: [1] });
    say({ op: 'acknowledge', call: 1, request_id: 'p', groups: ['p-0'] });
    expect(await sidecar.until('answer')).toEqual({ event: 'answer', call: 1, acknowledged: 1 });
    say({ op: 'dance', call: 2 });
    expect(await sidecar.until('error')).toMatchObject({ call: 2, code: 'ART_INVALID_OPTION' });
    sidecar.child.stdin!.end();
    expect(await sidecar.ended).toEqual([0, null]);
  });

  it('run its own agent, before its own engine', async () => {
    const agent = join(import.meta.dirname, 'counting-agent.ts');
    const start = async (): Promise<Talking> => {
      const command = ['--conditions=@art/source', artMain, 'collect', '--base-url', engine.url];
      const options = ['--state', state, '--port', '0', '--json', '--env', `RUNS_FILE=${join(root, 'runs')}`];
      const words = ['--', process.execPath, '--conditions=@art/source', agent];
      const started = new Talking(process.execPath, [...command, ...options, ...words]);
      await started.until('ready');
      return started;
    };
    const go = join(state, 'go');
    const inputs = [{ n: 1 }, { n: 2, until: go }];
    const request = { request_id: 'own', inputs, rollouts_per_input: 2, row_format: 'trl' };
    const sidecar = await start();
    const first = startTrainer({ url: sidecar.of('ready')[0]!['url'], request });
    await first.until('group');
    await vi.waitFor(async () => expect(await runs()).toHaveLength(4));
    await sidecar.kill();
    await first.kill();

    // The agent died with it: what was under way runs again, what had settled does not.
    const next = await start();
    await writeFile(go, '');
    const second = startTrainer({ url: next.of('ready')[0]!['url'], request });
    await second.until('end');
    expect(second.of('group')[0]).toEqual(first.of('group')[0]);
    expect(second.of('group')[1]).toMatchObject({ id: 'own-1', rewards: [2, 2] });
    expect((await runs()).map((line) => line.split(' ')[0]).toSorted()).toEqual([
      '1',
      '1',
      '2',
      '2',
      '2',
      '2',
    ]);
    await next.kill('SIGINT');
    expect(next.of('stopped')).toHaveLength(1);
  });
});
