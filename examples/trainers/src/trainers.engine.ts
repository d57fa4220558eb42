import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { pythonFolder } from '@art/collect';
import { locateEnvironment } from '@art/example-learn/python-environment';
import { Vllm } from '@art/example-learn/vllm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ArtCollectProcess } from './art-collect-process.ts';
import { CuttingProxy } from './cutting-proxy.ts';
import { trainerPython } from './trainer-python.ts';

const learn = join(dirname(fileURLToPath(import.meta.resolve('@art/example-learn/vllm'))), '..', '..');
const examples = join(import.meta.dirname, '..');
const words = ['ba', 'de', 'fi', 'go', 'ka', 'le', 'mi', 'no'];
const updates = Number(process.env['ART_TRL_UPDATES'] ?? 100);

function environmentOf(trainer: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    HF_HUB_OFFLINE: '1',
    TRL_EXPERIMENTAL_SILENCE: '1',
    OMP_WAIT_POLICY: 'PASSIVE',
    // Not beside the sources of the examples; and without any, an import of TRL takes minutes.
    PYTHONPYCACHEPREFIX: join(folder, '..', 'art-trainers-pycache'),
    PYTHONPATH: [pythonFolder, join(examples, trainer)].join(':'),
  };
}

let folder: string;
let policy: string;
let engine: Vllm;
const parts = new AsyncDisposableStack();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'art-trainers-'));
  parts.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  const { python } = await locateEnvironment(process.env);
  policy = join(folder, 'policy');
  await promisify(execFile)(python, [join(learn, 'python', 'make_policy.py'), policy, '0', ...words]);
  const signal = AbortSignal.timeout(600_000);
  engine = parts.use(
    await Vllm.start({ python, policy, modelId: 'policy', seed: 0, logDir: folder, signal }),
  );
}, 600_000);

afterAll(() => parts.disposeAsync(), 60_000);

/** A sidecar with the agent of examples/learn and a gateway before the engine. */
function startSidecar(state: string): Promise<ArtCollectProcess> {
  return ArtCollectProcess.start(
    [process.execPath, '--conditions=@art/source', join(learn, 'src', 'agent.ts')],
    `--base-url=${engine.url}`,
    '--model-id=policy',
    '--concurrency=128',
    `--state=${state}`,
  );
}

/** Runs a trainer's script to its end, and gives what it printed last. */
async function check(trainer: 'trl' | 'verl' | 'tinker', args: string[], input: unknown): Promise<unknown> {
  const script = promisify(execFile)(
    await trainerPython(trainer),
    [join(examples, trainer, 'check.py'), ...args],
    { env: environmentOf(trainer), maxBuffer: 1e9 },
  );
  script.child.stdin!.end(JSON.stringify(input));
  return JSON.parse((await script).stdout.trim().split('\n').at(-1)!) as unknown;
}

async function collectGroups(request: object): Promise<Record<string, unknown>[]> {
  await using sidecar = await startSidecar(join(folder, 'state-of-checks'));
  const answer = await fetch(`${sidecar.url}/groups`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request),
  });
  const lines = (await answer.text()).trim().split('\n');
  return lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ event }) => event === 'group');
}

it("TRL's loss takes the engine's logprobs for those of the policy that sampled, with our trainer only", async () => {
  const clipped = (await check('trl', [policy], null)) as Record<
    'stock' | 'art',
    Record<'exact' | 'moved', number>
  >;
  console.log('share of clipped tokens', clipped);
  expect(clipped.stock).toEqual({ exact: 0, moved: 0 });
  expect(clipped.art.exact).toBe(0);
  expect(clipped.art.moved).toBeGreaterThan(0.3);
});

it('TRL learns from TypeScript agents, whatever is cut or killed meanwhile', async () => {
  const python = await trainerPython('trl');
  const state = join(folder, 'state');
  let sidecar = await startSidecar(state);
  await using proxy = await CuttingProxy.start(() => sidecar.url);
  const trainer = spawn(
    python,
    [
      join(examples, 'trl', 'train.py'),
      `--collect=${proxy.url}`,
      `--engine=${engine.url}`,
      `--policy=${policy}`,
      `--out=${join(folder, 'out')}`,
      `--updates=${updates}`,
    ],
    { env: environmentOf('trl'), stdio: ['ignore', 'inherit', 'inherit'] },
  );
  const ended = once(trainer, 'exit');
  let cuts = 0;
  const groupsSettled = async (): Promise<number> =>
    (await readdir(join(state, 'requests')).catch(() => [])).length;
  try {
    // In the middle of streams, then the sidecar itself.
    while (trainer.exitCode === null && trainer.signalCode === null) {
      await sleep(700);
      if ((await groupsSettled()) > 3 && cuts < 5) cuts += proxy.cut() > 0 ? 1 : 0;
      if (cuts === 5 && (await groupsSettled()) > 20) {
        cuts += 1;
        await sidecar.kill();
        sidecar = await startSidecar(state);
      }
    }
    expect(await ended).toEqual([0, null]);
    const status = (await (await fetch(`${sidecar.url}/requests`)).json()) as Record<string, unknown>[];
    expect(cuts).toBe(6);
    expect(status).toHaveLength(updates / 2);
    for (const request of status) expect(request).toMatchObject({ state: 'done', acknowledged: 8 });
  } finally {
    trainer.kill('SIGKILL');
    await sidecar[Symbol.asyncDispose]();
  }
  const rewards = (await readFile(join(folder, 'out', 'log.jsonl'), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { reward?: number }).reward)
    .filter((reward) => reward !== undefined);
  const meanOfTen = (from: number): number =>
    rewards
      .slice(from)
      .slice(0, 10)
      .reduce((sum, reward) => sum + reward / 10, 0);
  console.log(
    `reward: first ten updates ${meanOfTen(0).toFixed(3)}, last ten ${meanOfTen(-10).toFixed(3)}; ${cuts} cuts`,
  );
  // Chance is 0.04. So small a policy may settle on some of the eight words and never try the others again.
  expect(meanOfTen(-10)).toBeGreaterThan(0.6);
});

it("TRL's asynchronous trainer learns from TypeScript agents, and ends where its sidecar is gone", async () => {
  const python = await trainerPython('trl');
  const train = (name: string, sidecar: ArtCollectProcess, wanted: number): ChildProcess => {
    const args = [
      join(examples, 'trl', 'train_async.py'),
      `--collect=${sidecar.url}`,
      `--engine=${engine.url}`,
      `--policy=${policy}`,
      `--out=${join(folder, name)}`,
      `--updates=${wanted}`,
      '--reconnect-s=5',
    ];
    const trainer = spawn(python, args, { env: environmentOf('trl'), stdio: ['ignore', 'inherit', 'pipe'] });
    trainer.stderr.pipe(process.stderr, { end: false });
    return trainer;
  };
  await using sidecar = await startSidecar(join(folder, 'state-async'));
  expect(await once(train('async', sidecar, updates), 'exit')).toEqual([0, null]);
  const log = (await readFile(join(folder, 'async', 'log.jsonl'), 'utf8')).trim().split('\n');
  const rewards = log
    .map((line) => (JSON.parse(line) as { reward?: number }).reward)
    .filter((one) => one !== undefined);
  console.log(`asynchronous: first reward ${rewards[0]}, last ${rewards.at(-1)}`);
  expect(rewards.slice(-10).reduce((sum, reward) => sum + reward / 10, 0)).toBeGreaterThan(0.4);

  await using mortal = await startSidecar(join(folder, 'state-mortal'));
  const trainer = train('mortal', mortal, 1_000);
  const said = text(trainer.stderr!);
  while ((await readdir(join(folder, 'state-mortal', 'requests')).catch(() => [])).length < 30)
    await sleep(200);
  await mortal.kill();
  expect((await once(trainer, 'exit'))[0]).toBe(1);
  expect(await said).toContain(`RuntimeError: art collect: no art collect at ${mortal.url}`);
});

const task = { inputs: [{ key: 'ba', value: 'de' }], rollouts_per_input: 6, sampling: { temperature: 1 } };

it("verl's own code makes a batch, advantages and a loss of the rows", async () => {
  const groups = await collectGroups({ ...task, row_format: 'verl' });
  const rows = groups.flatMap(({ rows: own }) => own as Record<string, number[] & number>[]);
  // A policy that has learnt nothing says what is encoded differently when it is read again: some rollouts fork.
  expect(rows.length).toBeGreaterThanOrEqual(6);
  const told = (await check('verl', [], groups)) as Record<string, unknown>;
  expect(told).toMatchObject({
    responses: rows.map(({ response_ids: ids }) => ids),
    scores: rows.map(({ reward_score: score }) => score),
    gradient_outside_of_mask: 0,
  });
  // Each rollout counts once in its group, however many rows it has.
  const { rewards, row_members: members } = groups[0] as Record<'rewards' | 'row_members', number[]>;
  const mean = rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length;
  const squares = rewards.reduce((sum, reward) => sum + (reward - mean) ** 2, 0);
  const deviation = Math.sqrt(squares / (rewards.length - 1)) + 1e-6;
  for (const [place, advantage] of (told['advantages'] as number[]).entries())
    expect(advantage).toBeCloseTo((rewards[members[place]!]! - mean) / deviation, 3);
  const logprobs = (told['logprobs'] as number[][]).flat();
  for (const [place, logprob] of rows.flatMap((row) => row['response_logprobs'] as number[]).entries())
    expect(logprobs[place]).toBeCloseTo(logprob, 5);
});

it("tinker's own types take the rows", async () => {
  const groups = await collectGroups({ ...task, row_format: 'tinker' });
  const rows = groups.flatMap(
    ({ rows: own }) =>
      own as { loss_fn_inputs: Record<'target_tokens' | 'advantages', { data: number[] }> }[],
  );
  const told = (await check('tinker', [], rows)) as { target_tokens: number[]; tokens: number[] }[];
  expect(rows.length).toBeGreaterThanOrEqual(6);
  expect(told).toHaveLength(rows.length);
  for (const [place, datum] of told.entries()) {
    expect(datum.target_tokens).toEqual(rows[place]!.loss_fn_inputs.target_tokens.data);
    expect(datum.tokens.slice(1)).toEqual(datum.target_tokens.slice(0, -1));
  }
});
