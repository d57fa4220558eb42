import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';

/*
 * Makes the pictures of the first page anew, from an evaluation that runs here: `pnpm --filter @art/docs run pictures`. Chromium is the one
 * of `CHROMIUM_PATH`, else `/usr/bin/chromium`. The curve is that of `examples/learn`, made by `npm run learn -- --spoil none,shift-logprobs`.
 */
const run = promisify(execFile);
const root = join(import.meta.dirname, '../../../..');
const folder = await mkdtemp(join(tmpdir(), 'art-pictures-'));
const art = (...words: string[]): Promise<{ stdout: string }> =>
  run(process.execPath, [join(root, 'packages/command/cli/src/main.ts'), ...words], {
    cwd: join(root, 'examples/openai'),
    env: { ...process.env, NODE_OPTIONS: '--conditions=@art/source --no-warnings' },
  });

try {
  const evaluation = join(folder, 'maths');
  const { stdout } = await art(
    ...['eval', 'agent.ts', '--tasks', 'tasks.jsonl', '--mock-model', 'model.ts', '--out', evaluation],
  );
  const [table = ''] = stdout.split('\n\nEverything is in');
  await writeFile(
    join(import.meta.dirname, 'terminal.svg'),
    terminal(['$ npm run eval', '', ...table.trim().split('\n')]),
  );
  const page = join(folder, 'page.html');
  await art('view', evaluation, '--export', page);
  await photograph(page);
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Draws the text of a terminal as a picture in the colours that the reader's system prefers. */
function terminal(lines: readonly string[]): string {
  const width = 36 + Math.max(...lines.map(({ length }) => length)) * 8.43;
  const height = 62 + lines.length * 20;
  const texts = lines.map((line, at) => {
    const text = line.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    const kind = line.startsWith('$') ? ' class="command"' : '';
    return `<text${kind} x="18" y="${64 + at * 20}" xml:space="preserve">${text}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${Math.ceil(width)} ${height}" width="${Math.ceil(width)}" height="${height}" role="img" aria-label="The table of an evaluation in a terminal">
<style>
text { font: 14px ui-monospace, SFMono-Regular, Menlo, 'DejaVu Sans Mono', monospace; fill: #1f2328 }
.command { font-weight: 600 }
.paper { fill: #f6f8fa; stroke: #d1d9e0 }
.dot { fill: #d1d9e0 }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc }
  .paper { fill: #0d1117; stroke: #3d444d }
  .dot { fill: #3d444d }
}
</style>
<rect class="paper" x="0.5" y="0.5" width="${Math.ceil(width) - 1}" height="${height - 1}" rx="8"/>
<circle class="dot" cx="22" cy="22" r="6"/><circle class="dot" cx="42" cy="22" r="6"/><circle class="dot" cx="62" cy="22" r="6"/>
${texts.join('\n')}
</svg>
`;
}

/** Takes the page of the run as a reader sees it on a light and on a dark screen. */
async function photograph(page: string): Promise<void> {
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  try {
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({
        viewport: { width: 620, height: 376 },
        deviceScaleFactor: 2,
        colorScheme,
      });
      const tab = await context.newPage();
      // A problem that was not solved.
      await tab.goto(`${pathToFileURL(page).href}#/sample/0/6`);
      const message = tab.locator('.message').nth(1);
      await message.evaluate((element) => element.scrollIntoView({ block: 'start' }));
      await tab.evaluate(() => scrollBy(0, -60));
      const session = await context.newCDPSession(tab);
      const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 80 });
      await writeFile(join(import.meta.dirname, `viewer-${colorScheme}.webp`), Buffer.from(data, 'base64'));
    }
  } finally {
    await browser.close();
  }
}
