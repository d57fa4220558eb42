import { appendFile, readFile } from 'node:fs/promises';
import { readAnnotations, runPath } from '@art/eval/records';
import { isThorough } from '@art/tooling/thorough';
import { expect, it } from 'vitest';
import { useChromium } from '../testing/chromium.fixture.ts';
import { writeEvaluation } from '../testing/evaluation.fixture.ts';
import { servedFolders } from '../testing/served-folders.fixture.ts';
import { temporaryFolder } from '../testing/temporary-folder.fixture.ts';

const { openPage } = useChromium();

it('samples are searched, sorted, walked through and opened by keys alone', async () => {
  const folder = await temporaryFolder();
  const records = await writeEvaluation(folder, { tasks: 30, samples: 4 });
  const page = await openPage();
  await page.goto(await servedFolders(folder));
  await page.getByText('Outcomes').waitFor();
  await page.keyboard.press('/');
  await page.locator('#search:focus').waitFor();
  await page.keyboard.type('refund score<1');
  const wanted = records.filter(
    ({ taskId, score }) => taskId.startsWith('refund') && score !== null && score < 1,
  );
  await page.getByText(`${wanted.length} of 120 samples`).waitFor();
  await page.getByRole('button', { name: 'Latency' }).click();
  const slowest = wanted.toSorted((a, b) => b.latencyMs! - a.latencyMs!);
  await expect.poll(() => page.locator('.table-row .task').first().textContent()).toBe(slowest[0]!.id);
  await page.getByRole('rowgroup', { name: 'Rows of samples' }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1 }).getByText(`#${slowest[1]!.sample}`).waitFor();
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(slowest[1]!.id);
  await page.keyboard.press(']');
  await page.getByText(`3 of ${wanted.length}`).waitFor();
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(slowest[2]!.id);
  await page.keyboard.press('2');
  await page.getByText('120 samples').waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog').getByText('Keys and filters').waitFor();
});

it('quick filters go in and out of the search, and back leads to it', async () => {
  const folder = await temporaryFolder();
  const records = await writeEvaluation(folder, { tasks: 40, samples: 4 });
  const retried = records.filter(({ attempts }) => attempts.length > 1).length;
  const page = await openPage();
  await page.goto(`${await servedFolders(folder)}#/samples/0`);
  await page.getByRole('button', { name: `retried ${retried}` }).click();
  await page.getByText(`${retried} of 160 samples`).waitFor();
  await page.locator('.table-row').first().click();
  await page.getByRole('heading', { name: /attempts$/ }).waitFor();
  await page.goBack();
  await page.locator('.table-row.is-active').waitFor();
  await page.getByText(`${retried} of 160 samples`).waitFor();
  await page.getByRole('button', { name: `retried ${retried}` }).click();
  await page.getByText('160 samples', { exact: true }).waitFor();
  await page.getByRole('searchbox').fill('nothing like this');
  await page.getByRole('button', { name: 'Clear the search' }).click();
  await page.getByText('160 samples', { exact: true }).waitFor();
  expect(await page.getByRole('searchbox').inputValue()).toBe('');
});

it('shows what a task asks, what the judge said, and no character of a name that acts on the page', async () => {
  const folder = await temporaryFolder();
  const [first] = await writeEvaluation(folder, { tasks: 2, samples: 1 });
  const sample = {
    ...first!,
    taskText: 'Where is my\u202e refund?',
    tags: ['evil\u001b[2J\u202etag'],
    remarks: ['It asked\nfor the booking.'],
    metrics: { 'turns\u202e': 4 },
    error: null,
    judgeError: null,
    transcript: first!.transcript,
  };
  await appendFile(runPath(folder, 'samples'), `${JSON.stringify(sample)}\n`);
  const page = await openPage();
  const url = await servedFolders(folder);
  await page.goto(`${url}#/samples/0`);
  const row = page.locator('.table-row').first();
  await row.getByText('Where is my[U+202E] refund?').waitFor();
  await row.getByText('It asked').waitFor();
  const chips = page.getByRole('group', { name: 'Quick filters' });
  await chips.getByText('evil[U+001B][2J[U+202E]tag').click();
  await page.getByText('1 of 2 samples').waitFor();
  expect(await chips.textContent()).not.toMatch(/[\u001b\u202e]/);
  await page.getByRole('searchbox').fill('refund? asked');
  await page.getByText('1 of 2 samples').waitFor();
  await row.click();
  await page.getByText('turns[U+202E]').waitFor();
});

it('ten thousand samples, or fifty: only what is in sight is in the page, with no hole while they are scrolled', async () => {
  const folder = await temporaryFolder();
  const taskCount = isThorough ? 12_500 : 2_500;
  const all = `${(taskCount * 4).toLocaleString('en')} samples`;
  const records = await writeEvaluation(folder, {
    tasks: taskCount,
    samples: 4,
    hasTranscripts: false,
    concurrency: 200,
  });
  const page = await openPage({ viewport: { width: 1360, height: 900 } });
  const url = await servedFolders(folder);
  const beginMs = performance.now();
  await page.goto(`${url}#/samples/0`);
  await page.locator('.table-row').first().waitFor();
  const firstMs = performance.now() - beginMs;
  await page.getByText(all).waitFor();
  const allMs = performance.now() - beginMs;
  const found = records.filter(({ taskId }) => taskId.includes('refund-0'));
  await page.getByRole('searchbox').fill('refund-0');
  await page.getByText(`${found.length} of ${all}`, { exact: true }).waitFor();
  await page.getByRole('searchbox').fill('');
  await page.getByText(all, { exact: true }).waitFor();
  const seen = await page.evaluate(async () => {
    const box = document.querySelector('.table-body')!;
    let [holes, mostRows] = [0, 0];
    for (let step = 0; step <= 30; step += 1) {
      // Slowly, then in leaps.
      box.scrollTop = step < 15 ? step * 57 : ((step - 15) / 15) * box.scrollHeight;
      // A page hears of its scrolling before the frame in which it is drawn.
      await new Promise(requestAnimationFrame);
      const { top, bottom } = box.getBoundingClientRect();
      const rows = [...box.querySelectorAll('.table-row')].map((row) => row.getBoundingClientRect());
      const isCovered = rows.length > 0 && rows[0]!.top <= top + 1 && rows.at(-1)!.bottom >= bottom - 1;
      const isGapless = rows.every((row, at) => at === 0 || Math.abs(row.top - rows[at - 1]!.bottom) < 1);
      if (!isCovered || !isGapless) holes += 1;
      mostRows = Math.max(mostRows, rows.length);
    }
    return { holes, mostRows };
  });
  expect(seen).toEqual({ holes: 0, mostRows: expect.toSatisfy((rows: number) => rows < 100) });
  expect(await page.locator('.table-row').last().getAttribute('aria-rowindex')).toBe(
    String(taskCount * 4 + 1),
  );
  expect(await page.locator('.table-row .task').last().textContent()).toBe(records.at(-1)!.id);
  if (process.env['ART_VIEW_FIGURES'] !== undefined)
    console.info(`${all}: first rows after ${firstMs.toFixed(0)} ms, all after ${allMs.toFixed(0)} ms`);
});

it('a person scores a sample by keys, finds it again after a reload, and two tabs lose nothing', async () => {
  const folder = await temporaryFolder();
  const [record] = await writeEvaluation(folder, { tasks: 2, samples: 1 });
  const measured = await readFile(runPath(folder, 'samples'), 'utf8');
  const address = `${await servedFolders(folder)}#/sample/0/0`;
  const [page, second] = [await openPage(), await openPage()];
  await page.goto(address);
  await second.goto(address);
  await second.getByText('Nobody has scored this sample.').waitFor();
  await page.getByText('Nobody has scored this sample.').waitFor();
  await page.keyboard.press('a');
  await page.locator('#human-score:focus').waitFor();
  await page.keyboard.type('0.5');
  await page.keyboard.press('Tab');
  // In a field keys are letters.
  await page.keyboard.type('It asked twice [1/2]?');
  await page.keyboard.press('Control+Enter');
  await page.getByText('score 0.5').waitFor();
  await second.getByLabel('Score', { exact: true }).fill('1');
  await second.getByRole('button', { name: 'Keep' }).click();
  await second.getByText('another page has given 0.5 meanwhile').waitFor();
  expect(await second.getByLabel('Score', { exact: true }).inputValue()).toBe('1');
  await second.reload();
  await second.getByText('score 0.5').waitFor();
  expect(await second.getByLabel('Remark').inputValue()).toBe('It asked twice [1/2]?');
  await second.getByLabel('Score', { exact: true }).fill('1');
  await second.keyboard.press('Enter');
  await second.getByText('score 1').waitFor();
  expect((await readAnnotations(folder)).get(record!.id)).toMatchObject({ label: 1, revision: 2 });
  expect(await readFile(runPath(folder, 'samples'), 'utf8')).toBe(measured);
});
