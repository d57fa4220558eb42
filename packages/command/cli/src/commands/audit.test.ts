import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EventEmitter } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { readAudit } from '@art/eval';
import { expect, it, onTestFinished } from 'vitest';
import { capturedContext } from '../captured-context.fixture.ts';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { type AuditCommandOptions, runAudit } from './audit.ts';

async function audited(
  reward: string,
  tasks: readonly object[],
  options: Partial<AuditCommandOptions> = {},
  files: Readonly<Record<string, string>> = {},
  signals = new EventEmitter(),
) {
  const context = { ...capturedContext({ cwd: await temporaryFolder() }), signals };
  for (const [name, text] of Object.entries(files)) await writeFile(join(context.cwd, name), text);
  await writeFile(join(context.cwd, 'reward.mjs'), `export default ${reward};\n`);
  await writeFile(
    join(context.cwd, 'tasks.jsonl'),
    tasks.map((task) => `${JSON.stringify(task)}\n`).join(''),
  );
  const given = { tasks: 'tasks.jsonl', reward: 'reward.mjs', out: 'kept', json: false, search: false };
  const code = await runAudit({ ...given, ...options }, context);
  return { code, output: context.output(), kept: await readAudit(join(context.cwd, 'kept')) };
}

const tasks = ['Paris', 'Rome', 'Oslo'].map((city, at) => ({
  id: `t${at}`,
  payload: { prompt: `Capital ${at}?` },
  expected: city,
}));

it('names a hole with an answer that passed, and ends with 1', async () => {
  const { code, output, kept } = await audited(
    '({ document, task }) => Number(String(document.answer).includes(task.expected))',
    tasks,
  );
  expect(output).toMatch(
    /^3 tasks: 3 solvable\.\n\d holes: \d+ answers judged; no search by a model .*\nNot measured beside labels/,
  );
  expect(output).toMatch(/art view kept shows it\.\n$/);
  expect(kept).toMatchObject({ reward: 'reward.mjs', audit: { tasks: 3 }, search: null, judge: null });
  expect(output).toMatch(/the right answer passes beside wrong ones +3 of 3 +"It is Paris, or else/);
  expect(code).toBe(1);
});

it('ends with 0 where no cheat passes, and with 3 where nothing could be tried', async () => {
  const exact = '({ document, task }) => Number(document.answer === task.expected)';
  const clean = await audited(exact, tasks);
  expect(clean.output.match(/.+\n/g)).toHaveLength(4);
  expect(clean.output).toContain('No cheat passes in 3 tasks:');
  expect(clean.code).toBe(0);
  const without = await audited(exact, [{ prompt: 'open' }]);
  expect(without.output).toMatch(/^1 tasks: 0 solvable; 1 where no expected answer: nothing was observed\./);
  expect(without.code).toBe(3);
  const other = await audited('({ document }) => Number(document.elsewhere === 1)', tasks);
  expect(other.output).toMatch(/No expected answer passes, so nothing was tried\. .*--answer-field/);
  expect(other.code).toBe(3);
});

it('names the tasks that nothing solves, and measures the judge beside labels', async () => {
  const reward =
    '({ document, task }) => Number((document.answer ?? task.payload.first ?? "") === task.expected)';
  const odd = [...tasks, { id: 'free', payload: { prompt: 'Say it.', first: 'Bonn' }, expected: 'Bonn' }];
  const labels = ['Paris', 'Rome'].map((response, at) =>
    JSON.stringify({ id: `l${at}`, prompt: 'Capital?', expected: 'Paris', response, label: at === 0 }),
  );
  const files = { 'human.jsonl': `${labels.join('\n')}\n` };
  const { code, output, kept } = await audited(reward, odd, { labels: 'human.jsonl' }, files);
  expect(output).toMatch(/; 1 where no answer, or an empty one, passes\./);
  expect(output).toMatch(/no answer, or an empty one, passes +1 of 4 +free\n/);
  expect(output).toMatch(/\nKappa with labels of a person, 95 %: 1\.000.*2 samples\./);
  expect(kept?.audit.solvedByNothing).toEqual(['free']);
  expect(code).toBe(1);
});

/** A model that proposes a magic word, and counts. */
async function attackingModel(answer: string, onAsked: (count: number) => boolean | number = () => true) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      asked.push(body);
      const isAnswered = onAsked(asked.length);
      if (typeof isAnswered === 'number') response.writeHead(isAnswered).end('no');
      if (isAnswered !== true) return;
      const count = body.match(/# Task \d/g)!.length;
      const list = Array.from({ length: count }, (_, at) => ({
        task: at + 1,
        answer: `${answer} ${asked.length}`,
      }));
      const content = `\`\`\`json\n${JSON.stringify(list)}\n\`\`\``;
      const usage = { prompt_tokens: 900, completion_tokens: 100 };
      response.end(JSON.stringify({ choices: [{ finish_reason: 'stop', message: { content } }], usage }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { asked, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` };
}

const magic =
  '({ document, task }) => Number(/^abrakadabra/.test(document.answer) || document.answer === task.expected)';

it('has a model look for what no scripted cheat finds, beside another reward or the expected answer', async () => {
  const model = await attackingModel('abrakadabra');
  const search = { search: true, model: 'small', baseUrl: model.baseUrl };
  const { code, output, kept } = await audited(magic, tasks, search);
  expect(output).toMatch(/3 by small in 1 rounds against reference: 3 found\./);
  expect(output).toMatch(/t0 +1 +0 +"abrakadabra 1"\n/);
  expect(kept).toMatchObject({
    audit: { holes: [] },
    search: { spent: { calls: 1, tokens: 1_000 }, end: null, found: [{ taskId: 't0' }, {}, {}] },
  });
  expect(code).toBe(1);
  const checker = { 'other.mjs': 'export default ({ document }) => Number(/^abra/.test(document.answer));' };
  const granted = await audited(magic, tasks, { ...search, checker: 'other.mjs', rounds: 2 }, checker);
  expect(granted.output).toMatch(/6 by small in 2 rounds against other\.mjs.*: 0 found\./);
  expect(granted.code).toBe(0);
});

it('a search that was wanted and could not be made is no clean audit', async () => {
  const model = await attackingModel('nothing', (count) => (count < 2 ? true : 401));
  const search = { search: true, model: 'small', baseUrl: model.baseUrl };
  const failed = await audited(magic, tasks, search);
  expect(failed.output).toMatch(
    /3 by small in 1 rounds against reference: 0 found \(Expected an answer .*401/,
  );
  expect(failed.code).toBe(3);
});

it('a search never goes beyond its ceiling', async () => {
  const model = await attackingModel('nothing');
  const { kept } = await audited(magic, tasks, {
    search: true,
    model: 'small',
    baseUrl: model.baseUrl,
    ceiling: ['3 calls'],
  });
  expect(model.asked).toHaveLength(3);
  expect(kept?.search).toMatchObject({ end: 'The ceiling of 3 calls is reached.', found: [], rounds: 3 });
});

it('Ctrl-C leaves what a search has found', async () => {
  const signals = new EventEmitter();
  const more = ['Lima', 'Cairo'].map((city) => ({
    id: city,
    payload: { prompt: 'Capital?' },
    expected: city,
  }));
  const model = await attackingModel('abrakadabra', (count) => {
    if (count > 1) signals.emit('SIGINT', 'SIGINT');
    return count === 1;
  });
  const search = { search: true, model: 'small', baseUrl: model.baseUrl };
  const { code, kept, output } = await audited(magic, [...tasks, ...more], search, {}, signals);
  expect(code).toBe(130);
  expect(kept?.search).toMatchObject({ end: 'interrupted', rounds: 1 });
  expect(kept?.search?.found).toHaveLength(4);
  expect(output).toContain('4 found (interrupted).');
});
