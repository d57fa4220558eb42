import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runPath, writeStatus } from '@art/eval/records';
import { expect, it } from 'vitest';
import { useChromium } from '../testing/chromium.fixture.ts';
import { statusRecord, writeEvaluation } from '../testing/evaluation.fixture.ts';
import { servedFolders } from '../testing/served-folders.fixture.ts';
import { temporaryFolder } from '../testing/temporary-folder.fixture.ts';
import { writeTraining } from '../testing/training.fixture.ts';

const { openPage } = useChromium();

it('a run fills up while it goes on, and is finished when it is', async () => {
  const folder = await temporaryFolder();
  const records = await writeEvaluation(folder, { tasks: 10, samples: 2, hasTranscripts: false });
  const lines = (await readFile(runPath(folder, 'samples'), 'utf8')).split('\n');
  await writeFile(runPath(folder, 'samples'), `${lines.slice(0, 5).join('\n')}\n`);
  const live = records.slice(5, 8).map(({ taskId, sample, submittedAtMs }) => ({
    taskId,
    sample,
    attempt: 0,
    sessionId: 's',
    submittedAtMs: submittedAtMs!,
    acceptedMs: 300,
    noticedMs: null,
  }));
  await writeStatus(
    folder,
    statusRecord(records.slice(0, 5), {
      state: 'running',
      updatedAtMs: Date.now() + 3_600_000,
      total: 20,
      live,
    }),
  );
  const page = await openPage();
  await page.goto(await servedFolders(folder));
  await page.getByText('5 of 20').waitFor();
  expect(await page.getByRole('progressbar').getAttribute('value')).toBe('5');
  await page.getByText('running', { exact: true }).waitFor();
  expect(await page.getByRole('group', { name: /^Timeline of/ }).getAttribute('aria-label')).toMatch(
    /of 8 sessions/,
  );
  await appendFile(runPath(folder, 'samples'), lines.slice(5).join('\n'));
  await writeStatus(folder, statusRecord(records, { state: 'finished', total: 20 }));
  await page.getByText('finished', { exact: true }).waitFor();
  expect(await page.getByText('5 of 20').count()).toBe(0);
  await page.getByRole('group', { name: /of 20 sessions/ }).waitFor();
});

it('the timeline is walked through by keys, and tells and opens what is marked', async () => {
  const folder = await temporaryFolder();
  const records = await writeEvaluation(folder, { tasks: 12, samples: 2 });
  const page = await openPage();
  await page.goto(await servedFolders(folder));
  const timeline = page.getByRole('group', { name: /^Timeline of 24 sessions/ });
  await timeline.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  const told = await page.locator('.timeline-told').textContent();
  const [, name] = /^(\S+) began at .*waited \d+ ms, worked \d/.exec(told!)!;
  expect(records.map(({ id }) => id)).toContain(name);
  await page.keyboard.press('Enter');
  await page.getByText('Let me look at your booking first.').waitFor();
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(name);
});

it('outcomes lead to their samples', async () => {
  const folder = await temporaryFolder();
  const records = await writeEvaluation(folder, { tasks: 50, samples: 4, hasTranscripts: false });
  const timeouts = records.filter(({ outcome }) => outcome === 'timeout').length;
  expect(timeouts).toBeGreaterThan(0);
  const page = await openPage();
  await page.goto(await servedFolders(folder));
  await page.getByRole('link', { name: new RegExp(`^timeout ${timeouts} `) }).click();
  await page.getByText(`${timeouts} of 200 samples`).waitFor();
});

it('two runs are compared task by task, the largest difference first', async () => {
  const folder = await temporaryFolder();
  await writeEvaluation(join(folder, 'a'), { name: 'first', tasks: 20, samples: 4, skill: 0.3 });
  await writeEvaluation(join(folder, 'b'), { name: 'second', tasks: 21, samples: 4, skill: 0.9, seed: 5 });
  const page = await openPage();
  await page.goto(await servedFolders(join(folder, 'a'), join(folder, 'b')));
  await page.getByRole('link', { name: 'Compare' }).click();
  const differences = await page.locator('.table-row .difference').allTextContents();
  const sizes = differences
    .filter((text) => text !== '–')
    .map((text) => Math.abs(Number(text.replace('−', '-'))));
  expect(sizes.length).toBeGreaterThan(5);
  expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
  await page.getByRole('button', { name: /^in one run only 1$/ }).click();
  expect(await page.locator('.table-row').count()).toBe(1);
  await page.locator('.table-row').click();
  await page.getByText('This run has no such task.').waitFor();
  await page.locator('.both').getByRole('link').first().click();
  expect(page.url()).toMatch(/#\/sample\/1\//);
});

it('a training run shows its reward over steps, each of its runs by its name', async () => {
  const folder = await temporaryFolder();
  await writeTraining(folder, 40);
  const page = await openPage();
  await page.goto(await servedFolders(folder));
  const reward = page.getByRole('img', {
    name: /^Reward, step 1 to 40\. none, seed 0, mean of ten from 0\.\d+ to 0\.9\d*/,
  });
  await reward.waitFor();
  await page.getByText('The same in every step: rollouts 128, rows 128').waitFor();
  const box = (await reward.boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await expect.poll(() => page.locator('.at').first().textContent()).toMatch(/^step (19|2\d)$/);
});

it('groups are shown with the rewards and advantages of their members', async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'results.jsonl');
  const member = (reward: number | null, advantage: number | null): object => ({
    status: reward === null ? 'masked' : 'kept',
    reward,
    advantage,
    outcome: 'ok',
    error: reward === null ? { code: 'ART_ROLLOUT_LOST', message: 'gone' } : null,
  });
  const groups = Array.from({ length: 300 }, (_, index) => ({
    runId: 'r',
    index,
    kind: index === 1 ? 'degraded' : 'complete',
    inputId: `input-${index}`,
    meanReward: 0.5,
    missing: 0,
    elapsedMs: 1_500,
    members: [
      member(1, 0.5),
      member(index === 2 ? 1 : 0, -0.5),
      ...(index === 1 ? [member(null, null)] : []),
    ],
    leftOut: [],
  }));
  await writeFile(file, `${groups.map((group) => JSON.stringify(group)).join('\n')}\n`);
  const page = await openPage();
  await page.goto(await servedFolders(file));
  await page.getByRole('heading', { level: 1, name: 'results.jsonl' }).waitFor();
  expect(await page.locator('.figures .value').allTextContents()).toEqual(['300', '0.500', '1']);
  await page.getByRole('button', { name: 'input-1', exact: true }).click();
  const members = page.getByRole('region', { name: 'Members of input-1' });
  expect(await members.locator('tbody tr').allTextContents()).toEqual([
    '1 kept1+0.500',
    '2 kept0−0.500',
    '3 ART_ROLLOUT_LOST: gone––',
  ]);
});
