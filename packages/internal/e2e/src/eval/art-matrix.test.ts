import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runArt, samplesOf } from './art-eval.fixture.ts';
import { startEndpoint } from './counting-endpoint.fixture.ts';

const agent = join(import.meta.dirname, 'matrix-agent.fixture.ts');

it(
  'art matrix runs every cell below one ceiling, continues with a higher one, and tells one table',
  { timeout: 240_000 },
  async () => {
    const cwd = await mkdtemp(join(tmpdir(), 'art-matrix-'));
    onTestFinished(() => rm(cwd, { recursive: true, force: true, maxRetries: 10 }));
    const endpoint = await startEndpoint();
    const tasks = Array.from({ length: 16 }, (_, at) => ({ id: `t${at}`, payload: { at } }));
    await writeFile(join(cwd, 'tasks.jsonl'), tasks.map((task) => `${JSON.stringify(task)}\n`).join(''));
    await writeFile(join(cwd, 'better.json'), JSON.stringify({ system: 'better' }));
    await writeFile(join(cwd, 'prices.json'), JSON.stringify({ small: { input: 1, output: 1 } }));
    const cells = [
      '--model-id',
      'small',
      '--model-id',
      'large',
      '--prompts',
      'code',
      '--prompts',
      'better.json',
    ];
    const model = ['--base-url', endpoint.url, '--sessions', 'server', '--concurrency', '3'];
    const start = ['matrix', agent, '--tasks', 'tasks.jsonl', '--out', 'matrix', ...cells, ...model];

    const unpriced = await runArt(cwd, ...start, '--prices', 'prices.json', '--ceiling', '5usd');
    expect([unpriced.code, endpoint.seen.calls, unpriced.errors]).toEqual([
      2,
      0,
      expect.stringContaining('price of the model large'),
    ]);

    for (const [wrong, message] of [
      [['--prompts', 'tasks.jsonl'], /a file with JSON/],
      [['--baseline', 'none'], /--baseline. to be one of/],
      [['--model-id', 'small'], /of different names each/],
    ] as const) {
      const refused = await runArt(cwd, ...start, ...wrong);
      expect([refused.code, endpoint.seen.calls, refused.errors]).toEqual([
        2,
        0,
        expect.stringMatching(message),
      ]);
    }

    const first = await runArt(cwd, ...start, '--ceiling', '40 calls');
    expect([first.code, endpoint.seen.calls]).toEqual([3, 40]);
    expect(first.output).toMatch(
      /large\+code +8 of 16 .* not to be relied on\n.*large\+better.json +0 +missing/,
    );

    const markdown = ['--markdown', 'table.md'];
    const last = await runArt(cwd, 'matrix', '--resume', 'matrix', '--ceiling', '90 calls', ...markdown);
    expect(last).toMatchObject({ code: 0 });
    expect(endpoint.seen.calls).toBe(64);
    const rows = last.output.split('\n').filter((line) => line.includes('16 of 16'));
    expect(
      rows.map((row) => /(small|large)\+([\w.]+) .*?(baseline|better|worse|unclear)$/.exec(row)?.slice(1)),
    ).toEqual([
      ['small', 'code', 'baseline'],
      ['small', 'better.json', 'better'],
      ['large', 'code', 'better'],
      ['large', 'better.json', 'better'],
    ]);
    // Eight gained of sixteen: 2 x 0.5 ^ 8, of three comparisons.
    expect(rows[1]).toMatch(/0\.500 \[.*\] +0\.0234 /);
    expect(await readFile(join(cwd, 'table.md'), 'utf8')).toMatch(/\| .*16 of 16 .*0\.0234 \| better \|/);

    // Each cell is a run like any other.
    const [, name] = /^(\S+large\+better\.json)/m.exec(last.output)!;
    expect(await samplesOf(join(cwd, 'matrix', name!))).toHaveLength(16);
    const again = await runArt(cwd, 'eval', '--resume', join('matrix', name!), '--json');
    expect([again.code, endpoint.seen.calls]).toEqual([0, 64]);
  },
);

it('art matrix --until asks two cells side by side below one ceiling', { timeout: 240_000 }, async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'art-pair-'));
  onTestFinished(() => rm(cwd, { recursive: true, force: true, maxRetries: 10 }));
  const endpoint = await startEndpoint();
  const tasks = Array.from({ length: 80 }, (_, at) => ({ id: `t${at}`, payload: { at } }));
  await writeFile(join(cwd, 'tasks.jsonl'), tasks.map((task) => `${JSON.stringify(task)}\n`).join(''));
  const model = ['--base-url', endpoint.url, '--sessions', 'server', '--concurrency', '4'];
  const start = ['matrix', agent, '--tasks', 'tasks.jsonl', '--out', 'pair', '--model-id', 'small', ...model];
  const until = ['--until', 'difference > 0'];

  const alone = await runArt(cwd, ...start, ...until);
  expect([alone.code, alone.errors]).toEqual([2, expect.stringContaining('beside two cells')]);
  const start2 = [...start, '--model-id', 'large'];
  const other = await runArt(cwd, ...start2, '--until', 'mean > 0.5');
  expect([other.code, other.errors]).toEqual([2, expect.stringContaining('"difference > 0"')]);
  expect(endpoint.seen.calls).toBe(0);

  const first = await runArt(cwd, 'compare', ...start2.slice(1), ...until, '--ceiling', '15 calls');
  expect([first.code, endpoint.seen.calls]).toEqual([3, 15]);
  expect(first.output).toMatch(/difference > 0: undecided/);

  const last = await runArt(
    cwd,
    'matrix',
    '--resume',
    'pair',
    '--ceiling',
    '160 calls',
    '--markdown',
    'pair.md',
  );
  expect(last).toMatchObject({ code: 0 });
  // Half of the tasks are gained: by far not all eighty are needed.
  expect(endpoint.seen.calls).toBeLessThan(100);
  // Both begin together, and the one that began first stands first.
  expect(last.output).toMatch(/small +\d+ of \d+ .*baseline\n/);
  expect(last.output).toMatch(/large +\d+ of \d+ .* decided\n/);
  expect(await readFile(join(cwd, 'pair.md'), 'utf8')).toContain('decided: it holds with 95 %');

  const [, name] = /^(\S+)\+large /m.exec(last.output)!;
  const [small, large] = [join('pair', `${name}+small`), join('pair', `${name}+large`)];
  const idsOf = async (run: string): Promise<string[]> =>
    (await samplesOf(join(cwd, run))).map(({ taskId }) => taskId).toSorted();
  expect(await idsOf(large)).toEqual(await idsOf(small));
  const compared = await runArt(cwd, 'compare', small, large, '--json', '--markdown', 'compared.md');
  expect(await readFile(join(cwd, 'compared.md'), 'utf8')).toMatch(
    /ended by its goal, difference .* 0: decided/,
  );
  expect(compared).toMatchObject({ code: 0 });
  expect(JSON.parse(compared.output)).toMatchObject({ doubts: [], direction: 'better' });
  const calls = endpoint.seen.calls;
  const again = await runArt(cwd, 'matrix', '--resume', 'pair', '--json');
  const { cells } = JSON.parse(again.output) as { cells: { results: { goal: unknown } }[] };
  expect(cells.map(({ results }) => results.goal)).toEqual([
    null,
    expect.objectContaining({ goal: 'difference > 0', end: 'decided' }),
  ]);
  expect([again.code, endpoint.seen.calls]).toEqual([0, calls]);
});
