import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { capturedContext } from '../captured-context.fixture.ts';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { runAudit } from './audit.ts';

async function audited(reward: string, tasks: readonly object[]) {
  const context = capturedContext({ cwd: await temporaryFolder() });
  await writeFile(join(context.cwd, 'reward.mjs'), `export default ${reward};\n`);
  await writeFile(
    join(context.cwd, 'tasks.jsonl'),
    tasks.map((task) => `${JSON.stringify(task)}\n`).join(''),
  );
  const code = await runAudit({ tasks: 'tasks.jsonl', reward: 'reward.mjs', json: false }, context);
  return { code, output: context.output() };
}

const tasks = ['Paris', 'Rome', 'Oslo'].map((city, at) => ({
  id: `t${at}`,
  payload: { prompt: `Capital ${at}?` },
  expected: city,
}));

it('names a hole with an answer that passed, and ends with 1', async () => {
  const { code, output } = await audited(
    '({ document, task }) => Number(String(document.answer).includes(task.expected))',
    tasks,
  );
  expect(output).toMatch(/the right answer passes beside wrong ones +3 of 3 +"It is Paris, or else/);
  expect(code).toBe(1);
});

it('ends with 0 where no cheat passes, and with 3 where nothing could be tried', async () => {
  const exact = '({ document, task }) => Number(document.answer === task.expected)';
  expect(await audited(exact, tasks)).toEqual({
    code: 0,
    output: expect.stringContaining('No cheat passes in 3 tasks.') as string,
  });
  const without = await audited(exact, [{ prompt: 'open' }]);
  expect(without.output).toMatch(/1 of 1 tasks name no expected answer.*nothing was observed: 1\n/);
  expect(without.code).toBe(3);
  const other = await audited('({ document }) => Number(document.elsewhere === 1)', tasks);
  expect(other.output).toMatch(/No expected answer passes, so nothing was tried\. .*--answer-field/);
  expect(other.code).toBe(3);
});
