import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readTranscript, type ResultsRecord } from '@art/eval/records';
import { startMockModel } from '@art/mock-model';
import { eventually } from '@art/tooling/eventually';
import { expect, it, onTestFinished } from 'vitest';
import { runArt, samplesOf, startArt } from './art-eval.fixture.ts';

const agent = join(import.meta.dirname, 'eval-agent.fixture.ts');

it(
  'art eval: an agent on this machine, killed in the middle, resumed and judged again',
  { timeout: 240_000 },
  async () => {
    const cwd = await mkdtemp(join(tmpdir(), 'art-eval-e2e-'));
    onTestFinished(() => rm(cwd, { recursive: true, force: true, maxRetries: 10 }));
    const model = await startMockModel({ reply: [{ when: 'wrong', turns: ['no'] }, { turns: ['yes'] }] });
    onTestFinished(() => model.close());
    const tasks = [
      { id: 'right', payload: { prompt: 'right', answer: 'yes' }, tags: ['easy'] },
      { id: 'wrong', payload: { prompt: 'wrong', answer: 'yes' } },
      { id: 'crash', payload: { prompt: 'crash', answer: 'yes', crash: true } },
      { id: 'also right', payload: { prompt: 'again', answer: 'yes' }, tags: ['easy'] },
    ];
    await writeFile(join(cwd, 'tasks.jsonl'), tasks.map((task) => `${JSON.stringify(task)}\n`).join(''));
    const flags = ['--base-url', model.baseUrl, '--model-id', 'mock', '--concurrency', '2'];

    const first = startArt(
      cwd,
      'eval',
      agent,
      '--tasks',
      'tasks.jsonl',
      '--samples',
      '2',
      '--out',
      'run',
      ...flags,
    );
    await eventually(async () => expect((await samplesOf(join(cwd, 'run'))).length).toBeGreaterThan(1));
    first.kill('SIGKILL');
    await once(first, 'close');
    const before = await samplesOf(join(cwd, 'run'));

    const resumed = await runArt(
      cwd,
      'eval',
      '--resume',
      'run',
      '--max-failures',
      'none',
      '--min-pass-at',
      '1=0.9',
      '--junit',
      'junit.xml',
      '--json',
    );
    expect(resumed.errors).not.toMatch(/^error/m);
    expect(resumed.errors).toMatch(/^Health: error infrastructure_failures: 2 of 8/m);
    expect(resumed.code).toBe(1);
    const results = JSON.parse(resumed.output) as ResultsRecord & { verdict: string };
    expect(results).toMatchObject({
      isComplete: true,
      outcomes: { ok: 6, lost: 2 },
      excluded: { count: 2, byReason: { lost: 2 } },
      mean: { value: 4 / 6, samples: 6, tasks: 3 },
      byTag: [{ tag: 'easy', mean: { value: 1 } }],
      modelCalls: 6,
    });
    const after = await samplesOf(join(cwd, 'run'));
    const judged = after.filter(({ outcome }) => outcome === 'ok').map(({ id }) => id);
    expect(new Set(judged).size).toBe(judged.length);
    expect(after.slice(0, before.length)).toEqual(before);
    expect(await readFile(join(cwd, 'junit.xml'), 'utf8')).toContain(
      'tests="9" failures="1" errors="0" time=',
    );

    // Two at a time: of the four that are right at most two were under way when the evaluation died, and those are known
    // by their results alone.
    const right = after.find(({ score, timings }) => score === 1 && timings.storedMs !== null)!;
    expect(right).toMatchObject({ rewardedBy: 'agent' });
    const transcript = await readTranscript(join(cwd, 'run'), right.transcript!);
    expect(transcript).toMatchObject({
      messages: [
        { role: 'user', content: right.taskId === 'right' ? 'right' : 'again' },
        { role: 'assistant', content: 'yes' },
      ],
      calls: [{ prompt: [0], answer: 1, capture: 'complete' }],
    });
    expect(transcript.calls[0]!.tokens!.texts!.join('')).toContain('yes');
    expect(transcript.rows).toHaveLength(1);
    const crashed = after.findLast(({ taskId }) => taskId === 'crash')!;
    expect(crashed).toMatchObject({ outcome: 'lost', score: null, attempts: { length: 3 } });

    // One mean over two temperatures, or two judges, would say nothing.
    await writeFile(join(cwd, 'mild.mjs'), 'export default () => 1;');
    for (const [option, value, named] of [
      ['--set', 'temperature=0.2', 'temperature none, now 0.2'],
      ['--reward', 'mild.mjs', 'judge of the run'],
    ] as const) {
      const other = await runArt(cwd, 'eval', '--resume', 'run', '--samples', '3', option, value);
      expect([other.code, other.errors]).toEqual([2, expect.stringContaining(named)]);
    }

    await writeFile(
      join(cwd, 'reward.mjs'),
      'export default ({ document }) => document.response === "no" ? 1 : 0;',
    );
    const rescored = await runArt(
      cwd,
      'rescore',
      'run',
      '--reward',
      'reward.mjs',
      '--out',
      'other',
      '--json',
    );
    expect(JSON.parse(rescored.output)).toMatchObject({ mean: { value: 2 / 6 } });
  },
);

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
