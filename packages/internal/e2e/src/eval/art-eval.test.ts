import type { SampleRecord } from '@art/trajectories';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readTranscript, type ResultsRecord } from '@art/eval/records';
import { startMockModel } from '@art/mock-model';
import { eventually } from '@art/tooling/eventually';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type ArtRun, runArt, samplesOf, startArt } from './art-eval.fixture.ts';

const agent = join(import.meta.dirname, 'eval-agent.fixture.ts');
const stack = new AsyncDisposableStack();
let cwd: string;
let options: string[];

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'art-eval-e2e-'));
  stack.defer(() => rm(cwd, { recursive: true, force: true, maxRetries: 10 }));
  const model = await startMockModel({ reply: [{ when: 'wrong', turns: ['no'] }, { turns: ['yes'] }] });
  stack.defer(() => model.close());
  options = ['--base-url', model.baseUrl, '--model-id', 'mock', '--concurrency', '2'];
});

afterAll(() => stack.disposeAsync());

async function writeTasks(name: string, tasks: readonly object[]): Promise<void> {
  await writeFile(join(cwd, name), tasks.map((task) => `${JSON.stringify(task)}\n`).join(''));
}

describe('art eval of an agent on this machine, then of a second sample of each task', () => {
  let first: ArtRun;
  let before: SampleRecord[];
  let resumed: ArtRun;
  let after: SampleRecord[];

  beforeAll(async () => {
    await writeTasks('tasks.jsonl', [
      { id: 'right', payload: { prompt: 'right', answer: 'yes' }, tags: ['easy'] },
      { id: 'wrong', payload: { prompt: 'wrong', answer: 'yes' } },
      { id: 'also right', payload: { prompt: 'again', answer: 'yes' }, tags: ['easy'] },
    ]);
    const run = ['--tasks', 'tasks.jsonl', '--sessions', 'server', '--out', 'run'];
    first = await runArt(cwd, 'eval', agent, ...run, ...options);
    before = await samplesOf(join(cwd, 'run'));
    const demands = ['--min-pass-at', '1=0.9', '--junit', 'junit.xml'];
    resumed = await runArt(cwd, 'eval', '--resume', 'run', '--samples', '2', ...demands, '--json');
    after = await samplesOf(join(cwd, 'run'));
  }, 480_000);

  it('the first run says how good the agent is', () => {
    expect(first.errors).not.toMatch(/^error/m);
    expect(first.output).toMatch(/mean reward +0\.667/);
    expect(first.code).toBe(0);
  });

  it('the resumed run takes agent, model and tasks from the folder', () => {
    expect(resumed.errors).not.toMatch(/^error/m);
    expect(JSON.parse(resumed.output)).toMatchObject({
      isComplete: true,
      outcomes: { ok: 6 },
      modelCalls: 6,
    });
  });

  it('judges no sample a second time', () => {
    expect(after.map(({ id }) => id).toSorted()).toEqual(
      ['also right', 'right', 'wrong'].flatMap((id) => [`${id}#0`, `${id}#1`]),
    );
    expect(after.slice(0, before.length)).toEqual(before);
  });

  it('sums up by task and by tag', () => {
    expect(JSON.parse(resumed.output) as ResultsRecord).toMatchObject({
      mean: { value: 4 / 6, samples: 6, tasks: 3 },
      byTag: [{ tag: 'easy', mean: { value: 1 } }],
    });
  });

  it('ends with 1 where the demand is not met', () => {
    expect(resumed.code).toBe(1);
  });

  it('writes a report for CI', async () => {
    expect(await readFile(join(cwd, 'junit.xml'), 'utf8')).toContain(
      'tests="7" failures="1" errors="0" time=',
    );
  });

  it('keeps what was said and sampled', async () => {
    const right = after.find(({ taskId }) => taskId === 'right')!;
    expect(right).toMatchObject({ score: 1, rewardedBy: 'agent' });
    const transcript = await readTranscript(join(cwd, 'run'), right.transcript!);
    expect(transcript).toMatchObject({
      messages: [
        { role: 'user', content: 'right' },
        { role: 'assistant', content: 'yes' },
      ],
      calls: [{ prompt: [0], answer: 1, capture: 'complete' }],
    });
    expect(transcript.calls[0]!.tokens!.texts!.join('')).toContain('yes');
    expect(transcript.rows).toHaveLength(1);
  });

  // One mean over two temperatures, or two judges, would say nothing.
  it.each([
    ['--set', 'temperature=0.2', 'temperature none, now 0.2'],
    ['--reward', 'mild.mjs', 'judge of the run'],
  ])('a resume with another %s is refused by name', async (option, value, named) => {
    await writeFile(join(cwd, 'mild.mjs'), 'export default () => 1;');
    const other = await runArt(cwd, 'eval', '--resume', 'run', '--samples', '3', option, value);
    expect([other.code, other.errors]).toEqual([2, expect.stringContaining(named)]);
  });

  it('art rescore judges what is kept by another reward', async () => {
    await writeFile(
      join(cwd, 'reward.mjs'),
      'export default ({ document }) => document.response === "no" ? 1 : 0;',
    );
    const words = ['rescore', 'run', '--reward', 'reward.mjs', '--out', 'other', '--json'];
    expect(JSON.parse((await runArt(cwd, ...words)).output)).toMatchObject({ mean: { value: 2 / 6 } });
  });
});

describe('art eval where the machine of a session dies', () => {
  let run: ArtRun;

  beforeAll(async () => {
    await writeTasks('crash.jsonl', [
      { id: 'crash', payload: { prompt: 'crash', answer: 'yes', crash: true } },
    ]);
    const words = ['--tasks', 'crash.jsonl', '--max-failures', 'none', '--out', 'crashed', '--json'];
    run = await runArt(cwd, 'eval', agent, ...words, ...options);
  }, 480_000);

  it('excludes the sample, by its reason', () => {
    expect(JSON.parse(run.output)).toMatchObject({
      isComplete: true,
      outcomes: { lost: 1 },
      excluded: { count: 1, byReason: { lost: 1 } },
    });
  });

  it('names it on the line of health', () => {
    expect(run.errors).toMatch(/^Health: error infrastructure_failures: 1 of 1/m);
  });

  it('has tried three times', async () => {
    expect(await samplesOf(join(cwd, 'crashed'))).toMatchObject([
      { taskId: 'crash', outcome: 'lost', score: null, attempts: { length: 3 } },
    ]);
  });
});

it('art eval: Ctrl-C is heard while a judge blocks', { timeout: 240_000 }, async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'art-eval-e2e-'));
  onTestFinished(() => rm(cwd, { recursive: true, force: true, maxRetries: 10 }));
  const model = await startMockModel({ reply: [{ turns: ['yes'] }] });
  onTestFinished(() => model.close());
  await writeFile(join(cwd, 'tasks.jsonl'), '{"id":"a","payload":{"prompt":"a","answer":"yes"}}\n');
  await writeFile(
    join(cwd, 'reward.mjs'),
    'import { writeFileSync } from "node:fs"; export default () => { writeFileSync("judging", ""); for (;;); }',
  );
  const flags = ['--reward', 'reward.mjs', '--base-url', model.baseUrl, '--model-id', 'mock', '--out', 'run'];
  const running = startArt(cwd, 'eval', agent, '--tasks', 'tasks.jsonl', ...flags);
  await eventually(async () => expect(await readdir(cwd)).toContain('judging'));
  running.kill('SIGINT');
  const [code] = (await once(running, 'close')) as [number | null];
  expect(code).toBe(130);
  expect(await samplesOf(join(cwd, 'run'))).toEqual([]);
});
