import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { nodeOptions, runArt, startArt } from '../eval/art-eval.fixture.ts';

const agent = join(import.meta.dirname, '../eval/eval-agent.fixture.ts');

interface StepEvent {
  event: string;
  step: number;
  rows: number;
  rollouts: number;
  groups: { trained: number };
  evaluations: { step: number; folder: string }[];
}

it(
  'rehearses training with a real agent, continues from its checkpoint, and ends after a step at Ctrl-C',
  { timeout: 240_000 },
  async () => {
    const cwd = await realpath(await mkdtemp(join(tmpdir(), 'art-train-')));
    onTestFinished(() => rm(cwd, { recursive: true, force: true, maxRetries: 10 }));
    await writeFile(join(cwd, 'tasks.jsonl'), '{"prompt":"a","answer":"b"}\n{"prompt":"c","answer":"d"}\n');
    await writeFile(join(cwd, 'held-out.jsonl'), '{"prompt":"e","answer":"f"}\n');
    const options = ['--tasks', 'tasks.jsonl', '--on', 'local', '--groups', '1', '--rollouts', '2'];
    const small = ['--max-tokens', '512', '--checkpoint-every', '1', '--out', 'run', '--json'];
    const variables = ['--env', `NODE_OPTIONS=${nodeOptions}`];
    const command = ['train', agent, ...options, ...small, ...variables];
    const events = (output: string) =>
      output
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as StepEvent);

    const first = await runArt(
      cwd,
      ...command,
      '--steps',
      '1',
      '--eval-tasks',
      'held-out.jsonl',
      '--eval-every',
      '1',
    );
    expect(first).toMatchObject({ code: 0, errors: '' });
    const [step] = events(first.output).filter(({ event }) => event === 'step');
    expect(step).toMatchObject({
      step: 1,
      groups: { trained: 1 },
      logprobGap: expect.closeTo(0, 4),
      isCheckpoint: true,
    });
    expect(step!.rows).toBeGreaterThan(0);
    expect(step!.evaluations.map((evaluation) => evaluation.step)).toEqual([0, 1]);

    // What was said is kept, and can be looked at.
    const [seen] = events(first.output).filter(({ event }) => event === 'health');
    expect(seen).toMatchObject({ worst: null });
    const health = await runArt(cwd, 'health', 'run', '--training', '--json');
    expect(events(health.output)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ check: 'no_model_calls', state: 'healthy' }),
        expect.objectContaining({ check: 'model_calls_failed', state: 'healthy' }),
        expect.objectContaining({ event: 'health', rollouts: seen!.rollouts }),
      ]),
    );

    const second = startArt(cwd, ...command, '--steps', '100');
    const ended = once(second, 'close');
    const steps: StepEvent[] = [];
    for await (const line of createInterface({ input: second.stdout! })) {
      const told = JSON.parse(line) as StepEvent;
      if (told.event !== 'step') continue;
      if (steps.push(told) === 1) second.kill('SIGINT');
    }
    expect(await ended).toEqual([130, null]);
    expect(steps[0]).toMatchObject({ step: 2 });
    // The step that had begun meanwhile was finished.
    expect(steps.at(-1)).toMatchObject({ end: { reason: 'finished_early' } });
    const sessions = (await readFile(join(cwd, 'run/sessions.jsonl'), 'utf8')).trimEnd().split('\n');
    expect(JSON.parse(sessions.at(-1)!)).toMatchObject({ event: 'stopped' });
  },
);

it(
  'stops at the second Ctrl-C, whatever the step waits for, and the training session with it',
  { timeout: 240_000 },
  async () => {
    const cwd = await realpath(await mkdtemp(join(tmpdir(), 'art-train-')));
    onTestFinished(() => rm(cwd, { recursive: true, force: true, maxRetries: 10 }));
    const begun = join(cwd, 'begun');
    await writeFile(join(cwd, 'tasks.jsonl'), JSON.stringify({ begun }));
    const hanging = join(import.meta.dirname, 'hanging-agent.fixture.ts');
    const options = ['--tasks', 'tasks.jsonl', '--on', 'local', '--groups', '1', '--rollouts', '2'];
    const variables = ['--out', 'run', '--json', '--env', `NODE_OPTIONS=${nodeOptions}`];
    const training = startArt(cwd, 'train', hanging, ...options, ...variables);
    const ended = once(training, 'close');
    await expect.poll(() => existsSync(begun), { timeout: 200_000 }).toBe(true);

    training.kill('SIGINT');
    const events: { event: string; message?: string }[] = [];
    for await (const line of createInterface({ input: training.stdout! })) {
      const told = JSON.parse(line) as (typeof events)[number];
      events.push(told);
      if (told.message?.startsWith('Finishing') !== true) continue;
      // Two signals within half a second are one press: npx passes on the one that it gets.
      await setTimeout(600);
      training.kill('SIGINT');
    }
    expect(await ended).toEqual([130, null]);
    expect(events.map(({ event }) => event)).not.toContain('step');
    const sessions = (await readFile(join(cwd, 'run/sessions.jsonl'), 'utf8')).trimEnd().split('\n');
    expect(sessions.map((line) => (JSON.parse(line) as { event: string }).event).at(-1)).toBe('stopped');
  },
);
