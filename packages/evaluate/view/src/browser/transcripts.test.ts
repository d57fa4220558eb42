import type { SampleRecord } from '@art/trajectories';
import { appendFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TranscriptRecord } from '@art/eval/records';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { exportView } from '../export/export-view.ts';
import { useChromium } from '../testing/chromium.fixture.ts';
import { writeEvaluation, writeOneSample } from '../testing/evaluation.fixture.ts';
import { servedFolders } from '../testing/served-folders.fixture.ts';
import { temporaryFolder } from '../testing/temporary-folder.fixture.ts';

const { openPage } = useChromium();

it('a sample shows what was said, its tools with their times, its tokens, its row and its log', async () => {
  const folder = await temporaryFolder();
  await writeOneSample(folder, {});
  const page = await openPage();
  await page.goto(`${await servedFolders(folder)}#/sample/0/0`);
  const asked = page.getByRole('listitem').filter({ hasText: 'Let me look at your booking first.' });
  await asked.getByText('find_booking').waitFor();
  expect(await asked.textContent()).toMatch(/"locator": "QX7T1P"[^]*result[^]*"status": "cancelled"/);
  expect(await asked.textContent()).toMatch(/\d ms|\d s/);
  await page.getByRole('button', { name: 'Tokens' }).first().click();
  const token = asked.locator('.token').first();
  expect(await token.textContent()).toBe('Let');
  await token.hover();
  await asked
    .getByText(/Token 1 of \d+ · "Let" · id \d+ · logprob -\d.* · probability .* · trains/)
    .waitFor();
  await page.getByRole('button', { name: 'Token ids' }).click();
  const row = page.locator('section', { has: page.getByRole('heading', { name: 'Training row' }) });
  expect(await row.textContent()).toMatch(
    /prompt 64.*trains \d+.*loss mask 0 31.*mean logprob -0.*advantage/,
  );
  expect(await row.locator('.token.row-masked').count()).toBe(31);
  await page.getByText('find_booking QX7T1P 31 ms').waitFor();
  await page.getByText(/^art-refund-001-0-/).waitFor();
});

it('an error is shown with its stack, beside what was said before it', async () => {
  const folder = await temporaryFolder();
  const error = {
    code: 'ART_AGENT_ERROR',
    message: 'boom\nat noon',
    stack: 'Error: boom\n    at f (/app/a.ts:1:2)',
  };
  await writeOneSample(folder, { document: null }, { outcome: 'agent_error', error, reward: null });
  const page = await openPage();
  await page.goto(`${await servedFolders(folder)}#/sample/0/0`);
  await page.getByRole('heading', { name: 'Why it is agent error' }).waitFor();
  await page.getByText('Stack').click();
  await page.getByText('at f (/app/a.ts:1:2)').waitFor();
  expect(await page.getByText('ART_AGENT_ERROR', { exact: true }).count()).toBe(1);
});

const attacks = [
  '<script>window.hacked = 1</script>',
  '</script><script>window.hacked = 1</script>',
  '<img src=x onerror="window.hacked = 1">',
  '<svg onload="window.hacked = 1"><a href="javascript:window.hacked=1">x</a></svg>',
  '<!--<script>',
  ']]><style>*{display:none}</style>',
  'javascript:window.hacked=1',
  '\u202eevil\u202c \u2066 \u200b',
  'half a pair: \ud83d and \udc00',
  '\u0000\u001b[31mred',
  '\u2028\u2029',
  '{{constructor.constructor("window.hacked=1")()}}',
  '"><iframe srcdoc="<script>parent.hacked=1</script>">',
];
const hostile = attacks.join('\n');

function hostileSample(): [Partial<TranscriptRecord>, Partial<SampleRecord>] {
  const said = attacks.map((content) => ({
    role: content,
    name: content,
    content,
    tool_calls: [{ id: content, function: { name: content, arguments: content } }],
  }));
  const results = attacks.map((content) => ({ role: 'tool', tool_call_id: content, content }));
  const transcript: Partial<TranscriptRecord> = {
    payload: { [hostile]: hostile, __proto__: null },
    expected: hostile,
    document: { answer: hostile },
    messages: [...said, ...results, hostile as never, null as never],
    calls: [],
    log: hostile,
  };
  const error = { code: attacks[2]!, message: hostile, stack: hostile };
  return [
    transcript,
    {
      taskId: `task ${hostile}`,
      tags: attacks,
      error,
      judgeError: error,
      remarks: [hostile],
      sessionId: hostile,
      outcome: 'agent_error',
    },
  ];
}

async function addressesAskedBy(page: Page, url: string): Promise<string[]> {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) =>
      console.error(`violation: ${event.violatedDirective}`),
    );
  });
  for (const [hash, shown] of [
    ['#/run/0', '.run-page'],
    ['#/samples/0', '.table-row'],
    ['#/sample/0/0', '.conversation'],
  ] as const) {
    await page.goto(`${url}${hash}`);
    await page.locator(shown).getByText('hacked').first().waitFor();
    const found = await page.evaluate(() => ({
      hacked: 'hacked' in window,
      // Only elements that the page makes itself.
      strange: [
        ...document.querySelectorAll(
          '#page :is(script, img, svg, iframe, style, object, embed, form:not(dialog form, .annotation form))',
        ),
      ].length,
      links: [...document.querySelectorAll<HTMLAnchorElement>('a')].filter(
        ({ protocol }) => protocol === 'javascript:',
      ).length,
      isSeen: document.body.checkVisibility(),
    }));
    expect({ hash, ...found }).toEqual({ hash, hacked: false, strange: 0, links: 0, isSeen: true });
  }
  const conversation = page.locator('.conversation');
  for (const attack of attacks.filter((text) => !/[\u0000-\u001f\u200b-\u2069\ud800-\udfff]/.test(text)))
    expect(await conversation.textContent()).toContain(attack);
  expect(await conversation.locator('.mark[title="right-to-left override"]').count()).toBeGreaterThan(0);
  expect(await conversation.getByText('U+D83D').count()).toBeGreaterThan(0);
  const own = new URL(url);
  return asked.filter((address) => new URL(address).host !== own.host && !address.startsWith('data:'));
}

it('what others wrote is text, in the served page and in the exported one', async () => {
  const folder = await temporaryFolder();
  await writeOneSample(join(folder, 'run'), ...hostileSample());
  expect(await addressesAskedBy(await openPage(), await servedFolders(join(folder, 'run')))).toEqual([]);
  const file = join(folder, 'report.html');
  await exportView({ folders: [join(folder, 'run')], file });
  expect(await addressesAskedBy(await openPage(), `file://${file}`)).toEqual([]);
});

it('what is malformed is shown as far as it can be, and keeps nothing else from being seen', async () => {
  const folder = await temporaryFolder();
  const nonsense = {
    messages: 'x',
    calls: [null, 5, {}, { tokens: { ids: 'x' } }],
    rows: [{}, null],
    log: 7,
    payload: null,
  };
  await writeOneSample(folder, nonsense as never, {
    outcome: 'new kind' as never,
    tags: 'x' as never,
    remarks: null as never,
    error: 'x' as never,
    tokens: {} as never,
    rewards: 3 as never,
  });
  await appendFile(
    join(folder, 'samples.jsonl'),
    [
      '{}',
      '[]',
      '{"schema":"art.rollout.v1","taskId":"bare","sample":0}',
      '{"schema":"art.rollout.v1","taskId":"odd","sample":1,"attempts":[null,{}],"timings":7}',
      '',
    ].join('\n'),
  );
  const page = await openPage();
  const url = await servedFolders(folder);
  await page.goto(`${url}#/samples/0`);
  await page.getByText('3 samples').waitFor();
  for (const [at, name] of ['refund-001#0', 'bare#0', 'odd#1'].entries()) {
    await page.goto(`${url}#/sample/0/${at}`);
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await page.getByRole('heading', { name: 'Session' }).waitFor();
  }
  await page.goto(`${url}#/run/0`);
  await page.getByRole('heading', { name: 'Outcomes' }).waitFor();
  await page.goto('about:blank');
  // At once, as a run writes it: the server may be reading.
  await writeFile(join(folder, 'part'), '{"schema":"art.run.v1"}');
  await rename(join(folder, 'part'), join(folder, 'run.json'));
  await page.goto(`${url}#/run/0`);
  await page.getByText(/^This cannot be shown: /).waitFor();
  await page.getByRole('link', { name: 'Samples' }).click();
  await page.getByText('3 samples').waitFor();
  await expect.poll(() => page.getByRole('alert').count()).toBe(0);
});

it('20 MB and 100,000 lines: only what is in sight is in the page, to their end', async () => {
  const folder = await temporaryFolder();
  const lines = Array.from({ length: 100_000 }, (_, at) => `line ${at + 1} ${'x'.repeat(100)}`).join('\n');
  const endless = `${'y'.repeat(9_000_000)} the end`;
  await writeOneSample(folder, {
    messages: [
      { role: 'user', content: lines },
      { role: 'assistant', content: endless },
      ...Array.from({ length: 2_000 }, (_, at) => ({ role: 'user', content: `message ${at + 1}` })),
    ],
    calls: [],
  });
  const page = await openPage();
  const beginMs = performance.now();
  await page.goto(`${await servedFolders(folder)}#/sample/0/0`);
  await page.getByText(/100,000 lines/).waitFor();
  const shownMs = performance.now() - beginMs;
  const [first, second] = await page.locator('.lines').all();
  await first!.evaluate((box) => (box.scrollTop = box.scrollHeight));
  await first!.getByText(/^line 100000 x/).waitFor();
  await second!.evaluate((box) => (box.scrollTop = box.scrollHeight));
  await second!.getByText(/y the end$/).waitFor();
  expect(await page.locator('.line').count()).toBeLessThan(100);
  await page.getByRole('button', { name: /^Show 100 more of 2,002 messages$/ }).click();
  await page.getByText('message 150', { exact: true }).waitFor();
  if (process.env['ART_VIEW_FIGURES'] !== undefined)
    console.info(`20 MB: shown after ${shownMs.toFixed(0)} ms`);
});

it('a text is found in a transcript: its messages, and its place in a long one', async () => {
  const folder = await temporaryFolder();
  const lines = Array.from(
    { length: 5_000 },
    (_, at) => `line ${at + 1}${at % 2_000 === 999 ? ' (Needle)' : ''}`,
  );
  const others = Array.from({ length: 300 }, (_, at) => ({ role: 'user', content: `message ${at + 1}` }));
  const tool = { id: 'a', function: { name: 'look', arguments: '{"for":"a needle."}' } };
  await writeOneSample(folder, {
    messages: [
      ...others,
      { role: 'assistant', content: null, tool_calls: [tool] },
      { role: 'user', content: lines.join('\n') },
    ],
    calls: [],
  });
  const page = await openPage();
  await page.goto(`${await servedFolders(folder)}#/sample/0/0`);
  await page.getByText('message 1', { exact: true }).waitFor();
  await page.keyboard.press('/');
  await page.locator('#search:focus').waitFor();
  await page.keyboard.type('NEEDLE');
  await page.getByText('2 of 302 messages say it').waitFor();
  expect(await page.locator('.message mark').allTextContents()).toEqual(['needle', 'Needle']);
  await page.getByText('match 1 of 3').waitFor();
  await page.getByText('line 1000 (Needle)').waitFor();
  await page.getByRole('button', { name: 'Next', exact: true }).last().click();
  await page.getByText('line 3000 (Needle)').waitFor();
  await page.getByRole('searchbox').fill('(no [pattern');
  await page.getByText('0 of 302 messages say it').waitFor();
  await page.getByRole('searchbox').fill('');
  await page.getByText('message 1', { exact: true }).waitFor();
});

it('a text is found in the transcripts of a run, by the server and in a file', async () => {
  const folder = await temporaryFolder();
  const records = await writeEvaluation(join(folder, 'run'), { tasks: 60, samples: 2 });
  const file = join(folder, 'report.html');
  await exportView({ folders: [join(folder, 'run')], file });
  const spoken = records.filter(({ transcript }) => transcript !== null).length;
  for (const url of [await servedFolders(join(folder, 'run')), `file://${file}`]) {
    const page = await openPage();
    await page.goto(`${url}#/samples/0`);
    await page.getByRole('searchbox').fill('said:"LOOK at your booking" refund');
    const wanted = records.filter(
      ({ taskId, transcript }) => taskId.startsWith('refund') && transcript !== null,
    );
    expect(wanted.length).toBeLessThan(spoken);
    await page.getByText(`${wanted.length} of 120 samples`, { exact: true }).waitFor();
    await page.getByRole('searchbox').fill('said:tool_call_id');
    await page.getByText('No sample is like that.').waitFor();
  }
});
