import { shortlist } from '@art/tooling/thorough';
import { expect, it } from 'vitest';
import { useChromium } from '../testing/chromium.fixture.ts';
import { writeEvaluation } from '../testing/evaluation.fixture.ts';
import { servedFolders } from '../testing/served-folders.fixture.ts';
import { temporaryFolder } from '../testing/temporary-folder.fixture.ts';

const { openPage } = useChromium();

it.each(shortlist(['en-US@posix', 'de-DE', ''], 1))(
  'the page is the same whatever the browser calls its locale: %j',
  async (locale) => {
    const folder = await temporaryFolder();
    await writeEvaluation(folder, { tasks: 40, samples: 4 });
    const page = await openPage();
    await page.addInitScript((given) => {
      Object.defineProperty(navigator, 'language', { get: () => given });
      Object.defineProperty(navigator, 'languages', { get: () => [given] });
    }, locale);
    await page.goto(await servedFolders(folder));
    await page.getByText('Outcomes').waitFor();
    await page.locator('canvas').first().waitFor();
    // A figure and its note are two words also where they are heard, copied or found.
    const figures = await page.locator('dl.figures').first().textContent();
    expect(figures).toContain('160 40 tasks');
  },
);

it('keys walk through the samples as soon as the page of samples is open', async () => {
  const folder = await temporaryFolder();
  await writeEvaluation(folder, { tasks: 5, samples: 1 });
  const page = await openPage();
  await page.goto(`${await servedFolders(folder)}#/samples/0`);
  await page.locator('.table-row').first().waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('ArrowDown');
  await page.locator('.table-row.is-active[aria-rowindex="3"]').waitFor();
  // In the search they are letters.
  await page.keyboard.press('/');
  await page.keyboard.type('j');
  expect(await page.locator('#search').inputValue()).toBe('j');
  await page.locator('#search').fill('');
  await page.keyboard.press('Escape');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1 }).getByText('#').waitFor();
});
