import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { evaluate } from '@art/eval';
import { readRunRecord, readStatus, runPath, writeRunRecord, writeStatus } from '@art/eval/records';
import { expect, it } from 'vitest';
import { useChromium } from '../testing/chromium.fixture.ts';
import { statusRecord, writeEvaluation } from '../testing/evaluation.fixture.ts';
import { steppedAgent } from '../testing/stepped-agent.fixture.ts';
import { servedFolders } from '../testing/served-folders.fixture.ts';
import { temporaryFolder } from '../testing/temporary-folder.fixture.ts';
import { writeTraining } from '../testing/training.fixture.ts';

const { openPage } = useChromium();

it('a run fills up while it continues, and is finished when it is', async () => {
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
  await page.getByRole('group', { name: /^Timeline of 8 sessions/ }).waitFor();
  await appendFile(runPath(folder, 'samples'), lines.slice(5).join('\n'));
  await writeStatus(folder, statusRecord(records, { state: 'finished', total: 20 }));
  await page.getByText('finished', { exact: true }).waitFor();
  await expect.poll(() => page.getByText('5 of 20').count()).toBe(0);
  await page.getByRole('group', { name: /of 20 sessions/ }).waitFor();
});

it('a run that looked dead, as after a sleep of the machine, is followed again', async () => {
  const folder = await temporaryFolder();
  const records = await writeEvaluation(folder, { tasks: 4, samples: 1, hasTranscripts: false });
  const lines = (await readFile(runPath(folder, 'samples'), 'utf8')).split('\n');
  await writeFile(runPath(folder, 'samples'), `${lines[0]}\n`);
  const status = { state: 'running' as const, total: 4 };
  await writeStatus(
    folder,
    statusRecord(records.slice(0, 1), { ...status, updatedAtMs: Date.now() - 3_600_000 }),
  );
  const page = await openPage();
  await page.goto(await servedFolders(folder));
  await page.getByText('ended unexpectedly').waitFor();
  await appendFile(runPath(folder, 'samples'), lines.slice(1, 3).join('\n') + '\n');
  await writeStatus(
    folder,
    statusRecord(records.slice(0, 3), { ...status, updatedAtMs: Date.now() + 3_600_000 }),
  );
  await page.getByText('3 of 4').waitFor();
  // The samples are told before the sign of life where the page reads between the two.
  await expect.poll(() => page.getByText('ended unexpectedly').count()).toBe(0);
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
  const told = page.locator('.timeline-told').getByText(/^\S+ began at .*waited \d+ ms, worked \d/);
  const [name] = (await told.textContent())!.split(' ');
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
  const lines = runPath(join(folder, 'a'), 'samples');
  const text = await readFile(lines, 'utf8');
  await writeFile(lines, text.replaceAll('"taskText":null', '"taskText":"Book it"'));
  for (const [name, judge] of [
    ['a', null],
    ['b', 'strict'],
  ] as const)
    await writeRunRecord(join(folder, name), { ...(await readRunRecord(join(folder, name))), judge });
  const page = await openPage();
  await page.goto(await servedFolders(join(folder, 'a'), join(folder, 'b')));
  await page.getByRole('link', { name: 'Compare' }).click();
  await page
    .getByText(/different judges: the agent's own in the baseline, strict in the candidate/)
    .waitFor();
  await page.locator('.table-row .difference').first().waitFor();
  const differences = await page.locator('.table-row .difference').allTextContents();
  const sizes = differences
    .filter((text) => text !== '–')
    .map((text) => Math.abs(Number(text.replace('−', '-'))));
  expect(sizes.length).toBeGreaterThan(5);
  expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
  await page.getByText(/^95 %: \+0\.\d+ to \+0\.\d+, p .* \(t test\), over 20 tasks$/).waitFor();
  await page.getByText(/^20 tasks show a difference of 0\.\d+ with a chance of 80 %$/).waitFor();
  expect(await page.locator('dl.figures').first().textContent()).toContain('over 20 tasks; 20 tasks show');
  await page.locator('.compare-table .task-text').first().getByText('Book it').waitFor();
  await page.getByRole('button', { name: /^in one run only 1$/ }).click();
  await expect.poll(() => page.locator('.table-row').count()).toBe(1);
  await page.locator('.table-row').click();
  await page.getByText('This run has no such task.').waitFor();
  await page.locator('.both').getByRole('link').first().click();
  await page.locator('.sample-page').waitFor();
  expect(page.url()).toMatch(/#\/sample\/1\//);
  await page.goBack();
  // The page of before, on which only one was chosen, is gone.
  await page.getByRole('button', { name: /^in one run only 1$/, pressed: false }).waitFor();
  await page.locator('.table-row').first().click();
  await page.getByRole('link', { name: 'Transcripts side by side' }).click();
  const [before, after] = ['Before', 'After'].map((name) => page.getByRole('region', { name, exact: true }));
  for (const side of [before!, after!]) await side.getByText('Let me look at your booking first.').waitFor();
  await before!.getByRole('combobox').selectOption({ index: 1 });
  await expect.poll(() => page.url()).toMatch(/#\/pair\/0\/1\/\d+\/\d+$/);
  await expect
    .poll(() => before!.getByRole('combobox').locator('option:checked').textContent())
    .toMatch(/^#/);
  const [left, right] = await Promise.all([before!.boundingBox(), after!.boundingBox()]);
  expect(left!.x + left!.width).toBeLessThanOrEqual(right!.x);
  await page.setViewportSize({ width: 400, height: 900 });
  const [top, below] = await Promise.all([before!.boundingBox(), after!.boundingBox()]);
  expect(top!.y + top!.height).toBeLessThanOrEqual(below!.y);
});

it('a curve tells what is pointed at as soon as it is in sight, however late the browser draws', async () => {
  const folder = await temporaryFolder();
  await writeTraining(folder, 40);
  const page = await openPage();
  await page.addInitScript(() => {
    const begin = setTimeout;
    const lateMs = 1_000;
    globalThis.requestAnimationFrame = (draw) => begin(draw, lateMs);
    globalThis.setTimeout = ((callback: () => void) =>
      begin(callback, lateMs)) as unknown as typeof setTimeout;
  });
  await page.goto(await servedFolders(folder));
  await page.getByRole('img', { name: /^Reward, step 1 to 40/ }).hover();
  await expect.poll(() => page.locator('.at').first().textContent()).toMatch(/^step (19|2\d)$/);
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
  await reward.hover();
  await expect.poll(() => page.locator('.at').first().textContent()).toMatch(/^step (19|2\d)$/);
  // It continues, and was measured meanwhile.
  await appendFile(
    join(folder, 'learn.jsonl'),
    `${JSON.stringify({ run: 'none', seed: 0, step: 41, reward: 1, evaluations: [{ step: 40, score: 0.75 }], lag: { mean: 1 } })}\n`,
  );
  await page.getByRole('img', { name: /^Reward, step 1 to 41/ }).waitFor();
  await page.getByText('held-out score 0.75', { exact: false }).waitFor();
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
    schema: 'art.group.v1',
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
  }));
  await writeFile(file, `${groups.map((group) => JSON.stringify(group)).join('\n')}\n`);
  const page = await openPage();
  await page.goto(await servedFolders(file));
  await page.getByRole('heading', { level: 1, name: 'results.jsonl' }).waitFor();
  await expect.poll(() => page.locator('.figures .value').allTextContents()).toEqual(['300', '0.500', '1']);
  await page.getByRole('button', { name: 'input-1', exact: true }).click();
  const members = page.getByRole('region', { name: 'Members of input-1' });
  await expect
    .poll(() => members.locator('tbody tr').allTextContents())
    .toEqual(['1 kept1+0.500', '2 kept0−0.500', '3 ART_ROLLOUT_LOST: gone––']);
});

it('rollouts of "art invoke --out" are shown as samples, with what they returned and why they failed', async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'results.jsonl');
  const attemptOf = (outcome: string, sessionId: string): object => ({ attempt: 0, outcome, sessionId });
  const item = (index: number, outcome: string, given: object): object => ({
    schema: 'art.rollout.v1',
    runId: 'r',
    id: String(index),
    index,
    outcome,
    reward: null,
    rewardProblem: null,
    sessionId: `session-${index}`,
    inputId: `input-${index}`,
    invocationId: null,
    bucket: 'b',
    resultKey: `e/input-${index}/session-${index}.json`,
    timings: { acceptedMs: 12, noticedMs: 400, settledMs: 410 },
    error: null,
    document: null,
    attempts: [attemptOf(outcome, `session-${index}`)],
    ...given,
  });
  const lines = [
    item(0, 'ok', { reward: 1, document: { answer: 'forty-two' } }),
    item(1, 'ok', { rewardProblem: { kind: 'absent', message: 'It has no reward.' }, document: {} }),
    item(2, 'lost', {
      error: { code: 'ART_ROLLOUT_LOST', message: 'The session is gone.' },
      attempts: [attemptOf('lost', 'first'), attemptOf('lost', 'second')],
    }),
  ];
  await writeFile(file, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
  const page = await openPage();
  const url = await servedFolders(file);
  await page.goto(url);
  await page.getByRole('link', { name: 'lost 1 ' }).waitFor();
  await page.goto(`${url}#/samples/0?q=said%3Aforty-two`);
  await page.getByText('1 of 3 samples').waitFor();
  await page.locator('.table-row').click();
  await page.getByText('"answer": "forty-two"').waitFor();
  await page.goto(`${url}#/sample/0/2`);
  await page.getByText('The session is gone.').first().waitFor();
  await page.getByRole('heading', { name: '2 attempts' }).waitFor();
  await page.goto(`${url}#/sample/0/1`);
  await page.getByText('It has no reward.').waitFor();
  expect(await page.getByRole('heading', { name: 'Why it has no reward' }).count()).toBe(1);
});

it('follows an evaluation that runs, sample by sample', async () => {
  const folder = await temporaryFolder();
  const steps = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  const tasks = steps.map((_, at) => ({ id: `t${at}`, payload: { at } }));
  const running = evaluate({ agent: steppedAgent(steps.map(({ promise }) => promise)), tasks, folder });
  await expect.poll(() => readStatus(folder)).toBeDefined();
  const page = await openPage();
  await page.goto(await servedFolders(folder));
  await page.getByText('0 of 4').waitFor();
  await page.getByText('running', { exact: true }).waitFor();
  const timeline = page.getByRole('group', { name: /^Timeline of 4 sessions/ });
  await timeline.waitFor();
  await page.getByRole('link', { name: 'Samples' }).click();
  await page.getByText('No sample has ended yet.').waitFor();
  steps[0]!.resolve();
  await page.locator('.table-row').filter({ hasText: 't0' }).waitFor();
  expect(await page.locator('.table-row').count()).toBe(1);
  steps[1]!.resolve();
  await page.getByText('2 samples').waitFor();
  await page.getByRole('link', { name: 'Run', exact: true }).click();
  await timeline.focus();
  for (const name of ['t0#0', 't1#0', 't2#0']) {
    await page.keyboard.press('ArrowDown');
    await page.locator('.timeline-told').getByText(name).waitFor();
    // Until the page has heard of the run again.
    await page.waitForResponse(/\/runs$/);
  }
  await page.getByText('2 of 4').waitFor();
  // Those that wait for their turn are at work, and have no line.
  await page.locator('.figures div').filter({ hasText: 'At work' }).getByText('2', { exact: true }).waitFor();
  await page.getByText('0.500').first().waitFor();
  for (const { resolve } of steps) resolve();
  await page.getByText('finished', { exact: true }).waitFor();
  await expect.poll(() => page.getByText('2 of 4').count()).toBe(0);
  await running;
  // Also somebody who comes when all is over sees it.
  await page.reload();
  await page.getByText('finished', { exact: true }).waitFor();
});
