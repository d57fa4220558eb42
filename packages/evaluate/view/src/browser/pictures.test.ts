import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { useChromium } from '../testing/chromium.fixture.ts';
import { writeEvaluation } from '../testing/evaluation.fixture.ts';
import { servedFolders } from '../testing/served-folders.fixture.ts';
import { temporaryFolder } from '../testing/temporary-folder.fixture.ts';

const { openPage } = useChromium();
const folder = join(import.meta.dirname, '../../pictures');

/** `pnpm --filter @art/view run pictures` makes the pictures of the README anew. */
it.runIf(process.env['ART_VIEW_PICTURES'] !== undefined)('pictures of the README', async () => {
  const runs = await temporaryFolder();
  await writeEvaluation(join(runs, 'a'), { name: 'before', tasks: 60, samples: 4, skill: 0.55 });
  await writeEvaluation(join(runs, 'b'), {
    name: 'after 40 steps',
    tasks: 60,
    samples: 4,
    skill: 0.75,
    seed: 2,
  });
  const url = await servedFolders(...['b', 'a'].map((name) => join(runs, name)));
  const light = await openPage({ viewport: { width: 1200, height: 1080 }, colorScheme: 'light' });
  const dark = await openPage({ viewport: { width: 1200, height: 760 }, colorScheme: 'dark' });
  await light.goto(url);
  await light.getByRole('group', { name: /^Timeline/ }).waitFor();
  await takePicture(light, 'run');
  await light.goto(`${url}#/sample/0/5`);
  await light.getByRole('button', { name: 'Tokens' }).last().click();
  await light
    .locator('.message')
    .nth(2)
    .evaluate((element) => element.scrollIntoView({ block: 'start' }));
  await light.evaluate(() => scrollBy(0, -70));
  await takePicture(light, 'sample');
  await dark.goto(`${url}#/compare/1/0`);
  await dark.locator('.table-row').first().click();
  expect(await takePicture(dark, 'compare')).toBeGreaterThan(5_000);
});

async function takePicture(page: Page, name: string): Promise<number> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 82 });
  const bytes = Buffer.from(data, 'base64');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${name}.webp`), bytes);
  return bytes.length;
}
