import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { annotate, runPath } from '@art/eval/records';
import { expect, it } from 'vitest';
import { exportView } from '../export/export-view.ts';
import { useChromium } from '../testing/chromium.fixture.ts';
import { writeEvaluation } from '../testing/evaluation.fixture.ts';
import { servedFolders } from '../testing/served-folders.fixture.ts';
import { temporaryFolder } from '../testing/temporary-folder.fixture.ts';
import { writeTraining } from '../testing/training.fixture.ts';

const { openPage } = useChromium();
const mostPageBytes = 250_000;

it('one file shows runs, samples and comparison without a server and without asking anybody', async () => {
  const folder = await temporaryFolder();
  const folders = ['a', 'b', 'c'].map((name) => join(folder, name));
  const records = await writeEvaluation(folders[0]!, { name: 'first', tasks: 100, samples: 4 });
  // More machines failed than a run should have.
  const lines = (await readFile(runPath(folders[0]!, 'samples'), 'utf8')).split('\n');
  const failed = lines.map((line, at) =>
    at < 60 ? line.replace(/"outcome":"\w+"/, '"outcome":"lost"') : line,
  );
  await writeFile(runPath(folders[0]!, 'samples'), failed.join('\n'));
  await writeEvaluation(folders[1]!, { name: 'second', tasks: 100, samples: 4, seed: 9 });
  await writeTraining(folders[2]!);
  const file = join(folder, 'report.html');
  const { bytes, pageBytes } = await exportView({ folders, file });
  expect(pageBytes).toBeLessThan(mostPageBytes);
  expect((await readFile(file)).length).toBe(bytes);
  expect(bytes).toBeLessThan(1_500_000);
  const page = await openPage();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(`file://${file}`);
  await page.getByRole('heading', { level: 1, name: 'first' }).waitFor();
  // What the checks say stands in the file, too; a finding leads to its samples.
  const health = page.getByRole('region', { name: 'Health' });
  await health.getByText(/^infrastructure_failures$/).waitFor();
  await health.getByText(/^Not observed: \d+$/).waitFor();
  await health
    .getByRole('link', { name: /^all \d+ samples$/ })
    .first()
    .click();
  await page.getByRole('button', { name: /^infrastructure_failures \d+$/, pressed: true }).waitFor();
  await page.getByRole('searchbox').fill(`task:${records[390]!.taskId}`);
  await page.getByText('4 of 400 samples').waitFor();
  await page.locator('.table-row').last().click();
  await page.getByText('Let me look at your booking first.').waitFor();
  await page.getByRole('link', { name: 'Compare' }).click();
  await page.getByText('over 100 tasks', { exact: false }).waitFor();
  await page.goto(`file://${file}#/run/2`);
  await page.getByRole('img', { name: /^Reward, step 1 to 60/ }).waitFor();
  expect(asked.filter((url) => !url.startsWith('file:') && !url.startsWith('data:'))).toEqual([]);
  const policy = await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content');
  expect(policy).toMatch(/connect-src 'none'/);
});

it('what is nested deeper than JSON can be written is left out of a file, and breaks neither it nor the server', async () => {
  const folder = await temporaryFolder();
  const [sample] = await writeEvaluation(folder, { tasks: 1, samples: 1 });
  const depth = '[{"a":'.repeat(20_000) + '1' + '}]'.repeat(20_000);
  const transcript = await readFile(runPath(folder, 'transcripts'), 'utf8');
  const deep = `{"payload":${depth},"document":{"found":"here"},${transcript.trim().slice(1).replace('"payload":', '"was":').replace('"document":', '"also":')}\n`;
  await writeFile(runPath(folder, 'transcripts'), deep);
  const place = { atByte: 0, bytes: Buffer.byteLength(deep) - 1 };
  await writeFile(runPath(folder, 'samples'), `${JSON.stringify({ ...sample, transcript: place })}\n`);
  await annotate(folder, { id: sample!.id, label: 0.25, remark: 'Too deep.', replaces: 0 });
  const file = join(folder, 'report.html');
  await exportView({ folders: [folder], file });
  const page = await openPage();
  for (const url of [`file://${file}`, await servedFolders(folder)]) {
    await page.goto(`${url}#/sample/0/0`);
    await page.getByText('"found": "here"').waitFor();
    await page.getByText('score 0.25').waitFor();
    expect(await page.getByRole('heading', { name: 'Task', exact: true }).count()).toBe(1);
  }
  await page.goto(`file://${file}#/sample/0/0`);
  await page.getByText('A page in a file keeps nothing').waitFor();
  expect(await page.getByText('Too deep.').count()).toBe(1);
  expect(await page.getByRole('button', { name: 'Keep' }).count()).toBe(0);
});
