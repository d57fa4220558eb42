import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readMatrix, writeAudit } from '@art/eval';
import { runPath } from '@art/eval/records';
import { expect, it } from 'vitest';
import { exportView } from '../export/export-view.ts';
import { audit } from '../testing/audit.fixture.ts';
import { useChromium } from '../testing/chromium.fixture.ts';
import { runRecord, writeEvaluation } from '../testing/evaluation.fixture.ts';
import { servedFolders } from '../testing/served-folders.fixture.ts';
import { temporaryFolder } from '../testing/temporary-folder.fixture.ts';

const { openPage } = useChromium();

async function writeMatrix(folder: string): Promise<void> {
  await mkdir(folder);
  const skills = { small: 0.3, large: 0.9 };
  for (const [at, [name, skill]] of Object.entries(skills).entries()) {
    const cell = join(folder, name);
    await writeEvaluation(cell, { name, tasks: 60, samples: 2, skill, hasTranscripts: false });
    const record = runRecord({
      ...(JSON.parse(await readFile(runPath(cell, 'run'), 'utf8')) as object),
      createdAtMs: at,
      options: { matrix: { cells: ['small', 'large', 'huge'] } },
    });
    await writeFile(runPath(cell, 'run'), JSON.stringify(record));
  }
}

it('shows a matrix as it is printed, each cell with its run, and an audit, served and in a file', async () => {
  const folder = await temporaryFolder();
  const [matrix, audited] = [join(folder, 'matrix'), join(folder, 'audits', 'one')];
  await writeMatrix(matrix);
  await writeAudit(audited, audit);
  const [, large] = await readMatrix(matrix);
  const file = join(folder, 'report.html');
  await exportView({ folders: [matrix, join(folder, 'audits')], file });
  const page = await openPage();
  for (const url of [await servedFolders(matrix, join(folder, 'audits')), `file://${file}`]) {
    await page.goto(url);
    const row = page.getByRole('row', { name: /^large/ });
    await row.getByText(large!.pHolm! < 0.0001 ? '< 0.0001' : large!.pHolm!.toFixed(4)).waitFor();
    expect(await row.textContent()).toMatch(/of 120.*better$/);
    expect(await page.getByRole('row', { name: /^huge/ }).textContent()).toMatch(/0missing$/);
    await page.getByText('1 cells are missing').waitFor();
    await page.getByRole('link', { name: 'large' }).click();
    await page.getByRole('heading', { level: 1, name: 'large' }).waitFor();
    await page.getByLabel('Run', { exact: true }).selectOption({ label: 'audit of reward.ts' });
    await page.getByText('2 holes: 320 answers judged, 9 by small in 4 rounds against strict.ts').waitFor();
    await page.getByRole('row', { name: /^an empty answer passes 2 of 2/ }).waitFor();
    expect(await page.getByRole('row', { name: /abra/ }).textContent()).toContain('<b>abra</b>');
    expect(await page.locator('main').textContent()).not.toContain('\u202e');
  }
});

it('shows the goal of a run, what is missing, and what its ceilings have ended', async () => {
  const folder = await temporaryFolder();
  await writeEvaluation(folder, { tasks: 2, samples: 1, hasTranscripts: false });
  const results = {
    schema: 'art.results.v1',
    samples: { wanted: 40, recorded: 28, scored: 27 },
    outcomes: { ok: 25, ceiling: 3 },
    goal: {
      goal: 'mean >= 0.8',
      end: 'ceiling',
      problem: null,
      tasks: 28,
      value: 0.75,
      low: 0.6,
      high: 0.9,
      missingSamples: 140,
      missingCost: 3.1,
    },
    ceiling: {
      ceiling: { usd: 5 },
      spent: { calls: 90, tokens: 9_000, seconds: 60, usd: 5.02 },
      reached: { unit: 'usd', message: 'The ceiling of 5 usd is reached.' },
    },
  };
  await writeFile(runPath(folder, 'results'), JSON.stringify(results));
  const page = await openPage();
  await page.goto(await servedFolders(folder));
  await page.getByText('About 140 samples more would show it, 3.10').waitFor();
  await page.getByText('5.02 usd spent: reached, 12 of 40 samples are missing').waitFor();
  await page.getByRole('row', { name: 'ceiling of a sample 3 of 28' }).waitFor();
  // Of a version that writes otherwise: the page is there, without a table.
  await writeFile(runPath(folder, 'results'), JSON.stringify({ ...results, ceiling: { spent: 1 } }));
  await page.goto(await servedFolders(folder));
  await page.getByRole('heading', { name: 'Outcomes' }).waitFor();
  expect(await page.getByText('usd spent').count()).toBe(0);
});
