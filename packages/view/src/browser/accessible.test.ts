import { join } from 'node:path';
import axe from 'axe-core';
import { expect, it } from 'vitest';
import { useChromium } from '../testing/chromium.fixture.ts';
import { writeEvaluation } from '../testing/evaluation.fixture.ts';
import { servedFolders } from '../testing/served-folders.fixture.ts';
import { temporaryFolder } from '../testing/temporary-folder.fixture.ts';
import { writeTraining } from '../testing/training.fixture.ts';

const { openPage } = useChromium();

it.each([
  ['light', 1400],
  ['dark', 800],
  ['light', 400],
] as const)(
  'in %s and %i pixels wide: WCAG AA, no text under 12 pixels, nothing cut off',
  async (colorScheme, width) => {
    const folder = await temporaryFolder();
    await writeEvaluation(join(folder, 'a'), { tasks: 40, samples: 2 });
    await writeEvaluation(join(folder, 'b'), { tasks: 40, samples: 2, seed: 4 });
    await writeTraining(join(folder, 'c'));
    const url = await servedFolders(...['a', 'b', 'c'].map((name) => join(folder, name)));
    const page = await openPage({ viewport: { width, height: 900 }, colorScheme });
    for (const hash of [
      '#/run/0',
      '#/samples/0',
      '#/sample/0/0',
      '#/compare/0/1',
      '#/pair/0/1/0/0',
      '#/run/2',
    ]) {
      await page.goto(`${url}${hash}`);
      await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
      if (hash.startsWith('#/compare')) await page.locator('.table-row').first().click();
      if (hash.startsWith('#/sample/')) {
        await page.getByRole('button', { name: 'Tokens' }).last().click();
        await page.getByRole('button', { name: 'Token ids' }).click();
        await page.getByRole('searchbox').fill('booking');
        await page.locator('mark').first().waitFor();
      }
      await page.evaluate(axe.source);
      const violations = await page.evaluate(async () => {
        const { axe: judge } = window as unknown as { axe: typeof axe };
        const found = await judge.run(document, {
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
      expect({ hash, violations }).toEqual({ hash, violations: [] });
      const measured = await page.evaluate(() => {
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        const small: string[] = [];
        for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
          const parent = node.parentElement!;
          if (node.textContent?.trim() === '' || !parent.checkVisibility()) continue;
          if (Number.parseFloat(getComputedStyle(parent).fontSize) < 12)
            small.push(parent.outerHTML.slice(0, 100));
        }
        return {
          small,
          overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
        };
      });
      expect({ hash, ...measured }).toEqual({ hash, small: [], overflow: 0 });
    }
  },
);
