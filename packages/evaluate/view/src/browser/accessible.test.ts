import { join } from 'node:path';
import { writeAudit } from '@art/eval';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { isThorough } from '@art/tooling/thorough';
import { expect, it } from 'vitest';
import { audit } from '../testing/audit.fixture.ts';
import { useChromium } from '../testing/chromium.fixture.ts';
import { writeEvaluation } from '../testing/evaluation.fixture.ts';
import { servedFolders } from '../testing/served-folders.fixture.ts';
import { temporaryFolder } from '../testing/temporary-folder.fixture.ts';
import { writeTraining } from '../testing/training.fixture.ts';

const { openPage } = useChromium();

const pages: readonly [hash: string, untilShown: (page: Page) => Promise<void>][] = [
  ['#/run/0', (page) => page.getByRole('group', { name: /^Timeline/ }).waitFor()],
  ['#/samples/0', (page) => page.locator('.table-row').first().waitFor()],
  [
    '#/sample/0/0',
    async (page) => {
      await page.getByRole('button', { name: 'Tokens' }).last().click();
      await page.getByRole('button', { name: 'Token ids' }).click();
      await page.getByRole('searchbox').fill('booking');
      await page.locator('mark').first().waitFor();
    },
  ],
  [
    '#/compare/0/1',
    async (page) => {
      await page.locator('.table-row').first().click();
      await page.getByRole('link', { name: 'Transcripts side by side' }).waitFor();
    },
  ],
  ['#/pair/0/1/0/0', (page) => page.locator('.conversation').nth(1).waitFor()],
  ['#/run/3', (page) => page.getByRole('row', { name: /^an empty answer/ }).waitFor()],
  ['#/run/2', (page) => page.getByRole('img', { name: /^Reward/ }).waitFor()],
];

const looks = [
  ['light', 400],
  ['dark', 800],
  ['light', 1400],
] as const;

// In npm test each page has one look, and each look is that of several pages.
it.each(pages.map((page, at) => [...page, isThorough ? looks : [looks[at % looks.length]!]] as const))(
  '%s, light and dark, wide and narrow: WCAG AA, no text under 12 pixels, nothing cut off',
  async (hash, untilShown, ownLooks) => {
    const folder = await temporaryFolder();
    await writeEvaluation(join(folder, 'a'), { tasks: 15, samples: 2 });
    await writeEvaluation(join(folder, 'b'), { tasks: 15, samples: 2, seed: 4 });
    await writeTraining(join(folder, 'c'));
    await writeAudit(join(folder, 'd'), audit);
    const url = await servedFolders(...['a', 'b', 'c', 'd'].map((name) => join(folder, name)));
    const page = await openPage({ viewport: { width: 1400, height: 900 } });
    await page.goto(`${url}${hash}`);
    await untilShown(page);
    await page.evaluate(axe.source);
    for (const [colorScheme, width] of ownLooks) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      // What is below the header, which stays, is taken for a link that is too small.
      await page.evaluate(() => scrollTo(0, 0));
      const look = `${colorScheme}, ${width} pixels wide`;
      const violations = await page.evaluate(async () => {
        const { axe: judge } = window as unknown as { axe: typeof axe };
        const found = await judge.run(document, {
          resultTypes: ['violations'],
          runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
        });
        return found.violations.map(
          ({ id, nodes }) =>
            `${id}: ${nodes
              .slice(0, 3)
              .map(({ html, failureSummary }) => `${html} ${failureSummary}`)
              .join('; ')}`,
        );
      });
      expect({ look, violations }).toEqual({ look, violations: [] });
      // Charts take the width of a window that has changed when they have been told of it.
      await expect.poll(() => page.evaluate(measure)).toEqual({ width, small: [], overflow: 0 });
    }
  },
);

/** Runs in the page. */
function measure(): { width: number; small: string[]; overflow: number } {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const small: string[] = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const parent = node.parentElement!;
    if (node.textContent?.trim() === '' || !parent.checkVisibility()) continue;
    if (Number.parseFloat(getComputedStyle(parent).fontSize) < 12) small.push(parent.outerHTML.slice(0, 100));
  }
  const { scrollWidth, clientWidth } = document.documentElement;
  return { width: innerWidth, small, overflow: scrollWidth - clientWidth };
}
