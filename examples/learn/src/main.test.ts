import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { shortlist } from '@art/tooling/thorough';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { checkMachine, readMachine } from './setup/check-machine.ts';
import { locateEnvironment } from './setup/python-environment.ts';

const main = join(import.meta.dirname, 'main.ts');
// Refusals come before anything else, so on a machine that is refused nothing else can be seen.
const isRefused = await readMachine()
  .then(checkMachine)
  .then(
    () => false,
    () => true,
  );
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'art-learn-test-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true, maxRetries: 10 });
});

interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Starts the command with a PATH and a cache that have nothing but what the test put there. */
function start(...args: string[]): ChildProcess {
  const env = { ...process.env, PATH: join(folder, 'bin'), XDG_CACHE_HOME: join(folder, 'cache') };
  return spawn(process.execPath, ['--conditions=@art/source', main, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function finish(child: ChildProcess): Promise<Finished> {
  let [stdout, stderr] = ['', ''];
  child.stdout!.on('data', (piece) => (stdout += piece));
  child.stderr!.on('data', (piece) => (stderr += piece));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

/** Resolves when the command has told of a step. */
function firstStep(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    let stdout = '';
    child.stdout!.on('data', (piece) => {
      stdout += piece;
      if (/^step +\d/m.test(stdout)) resolve();
    });
  });
}

describe('the command', () => {
  it('explains itself', async () => {
    const { code, stdout, stderr } = await finish(start('--help'));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const flag of ['--seed', '--steps', '--engine', '--spoil', '--sessions', '--out', '--yes'])
      expect(stdout).toContain(flag);
  });

  it('refuses wrong options and machines in a line, before it makes anything', async () => {
    const wrong = await finish(start('--steps', 'many'));
    expect(wrong).toMatchObject({
      code: 2,
      stderr: 'Expected `--steps` to be an integer from 1 to 4294967295, got "many". See --help.\n',
    });
    const bare = await finish(start('--engine', 'vllm', '--yes', '--out', join(folder, 'out')));
    expect(bare.code).toBe(1);
    expect(bare.stderr).toMatch(isRefused ? /^Expected .*\n$/ : /^Expected Python 3\.11 to 3\.14 .*\n$/);
    expect(globSync('*', { cwd: folder })).toEqual([]);
  });
});

it('trains in this process, with nothing installed', async () => {
  const out = join(folder, 'out');
  const { code, stdout, stderr } = await finish(
    start('--steps', '1', '--spoil', 'none,shift-logprobs', '--out', out),
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('Ready after') as string });
  const lines = (await readFile(join(out, 'learn.jsonl'), 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, number | string>);
  expect(lines).toMatchObject(
    ['exact', 'shift-logprobs'].map((run) => ({ run, step: 1, rollouts: 64, withoutRows: 0 })),
  );
  expect(lines.map(({ logprobGap }) => Number(logprobGap) > 0.1)).toEqual([false, true]);
  expect(stdout.match(/^step +\d/gm)).toHaveLength(2);
  expect(processesOf(folder)).toEqual([]);
});

describe.skipIf(isRefused)('with a Python, a vLLM and a trainer that are played', () => {
  beforeEach(async () => {
    // A python3 for the look at the machine, and an environment that is there already: nothing is installed.
    await executable(join(folder, 'bin', 'python3'), 'echo 3.12');
    for (const name of ['sh', 'sleep'])
      await symlink(
        (await promisify(execFile)('/bin/sh', ['-c', `command -v ${name}`])).stdout.trim(),
        join(folder, 'bin', name),
      );
    vi.stubEnv('PATH', join(folder, 'bin'));
    const { python } = await locateEnvironment({ XDG_CACHE_HOME: join(folder, 'cache') });
    vi.unstubAllEnvs();
    const fake = join(import.meta.dirname, 'fake-python.fixture.ts');
    await executable(python, `exec ${process.execPath} ${fake} "$@"`);
  });

  it('goes from rollouts to rows to an update to new weights, run after run', async () => {
    const out = join(folder, 'out');
    const { code, stdout, stderr } = await finish(
      start('--engine', 'vllm', '--steps', '2', '--seed', '7', '--spoil', 'none,late-mask', '--out', out),
    );
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/^Starting vLLM/) as string,
    });
    const lines = (await readFile(join(out, 'learn.jsonl'), 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, number | string>);
    expect(
      lines.map(({ run, step, rollouts, withoutRows }) => ({ run, step, rollouts, withoutRows })),
    ).toEqual(
      ['exact', 'late-mask'].flatMap((run) =>
        [1, 2].map((step) => ({ run, step, rollouts: 128, withoutRows: 0 })),
      ),
    );
    for (const { reward } of lines) expect(reward).toBeGreaterThan(0.3);
    // Each run begins with the policy as it was made, and each step ends with the new weights in the engine.
    const rows = lines.map((line) => `update ${line['rows']}`);
    const [policy, weights] = [join(out, 'policy'), join(out, 'weights')];
    expect((await readFile(join(out, 'events.log'), 'utf8')).trimEnd().split('\n')).toEqual([
      'policy 7',
      ...[0, 2].flatMap((at) => [
        `load ${policy}`,
        rows[at],
        `load ${weights}`,
        rows[at + 1],
        `load ${weights}`,
      ]),
    ]);
    expect(stdout.match(/^step +\d/gm)).toHaveLength(4);
    expect(stdout).toContain('reward (mean of ten steps)');
    expect(await readFile(join(out, 'learn.svg'), 'utf8')).toContain(
      'mask, logprobs and advantages one token late',
    );
    await vi.waitFor(() => expect(processesOf(folder)).toEqual([]));
  });

  it.each(shortlist(['SIGINT', 'SIGTERM'], 1))('leaves no process at %s', async (signal) => {
    const child = start('--engine', 'vllm', '--steps', '1000', '--out', join(folder, 'out'));
    const finished = finish(child);
    const endedEarly = finished.then((end) => {
      throw new Error(`It ended before its first step: ${JSON.stringify(end)}`);
    });
    await Promise.race([firstStep(child), endedEarly]);
    // vLLM, the trainer, the gateway, the agent.
    expect(processesOf(folder).length).toBeGreaterThanOrEqual(4);
    child.kill(signal);
    const { code, stderr } = await finished;
    expect({ code, stderr }).toMatchObject({
      code: 130,
      stderr: expect.stringContaining('Stopping') as string,
    });
    await vi.waitFor(() => expect(processesOf(folder)).toEqual([]));
  });
});

async function executable(path: string, script: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
}

/** Command lines of the processes whose environment names the folder: those that a test started, and all below them. */
function processesOf(place: string): string[] {
  return globSync('/proc/[0-9]*').flatMap((path) => {
    try {
      const isOurs = readFileSync(join(path, 'environ'), 'utf8').includes(
        `XDG_CACHE_HOME=${join(place, 'cache')}`,
      );
      return isOurs ? [readFileSync(join(path, 'cmdline'), 'utf8').replaceAll('\0', ' ')] : [];
    } catch {
      return [];
    }
  });
}
