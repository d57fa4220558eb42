import { sayMissing } from '@art/tooling/say-missing';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, inject, onTestFinished } from 'vitest';

export interface PageChoices {
  viewport?: { width: number; height: number };
  colorScheme?: 'light' | 'dark';
}

/** How long an action, a navigation or something expected of a page may take: a machine that is busy is slow, not wrong. */
const patienceMs = 120_000;

const found = inject('chromium');
if ('problem' in found) sayMissing(`no Chromium (${found.problem}): what needs a browser is not tested`);

/**
 * A browser for the tests of a file, which are skipped where there is none. Each page that it opens is closed with its test, which
 * fails where the page said an error.
 */
export function useChromium(): { openPage(choices?: PageChoices): Promise<Page> } {
  let browser: Browser | undefined;
  let context: BrowserContext;
  beforeAll(async () => {
    if ('problem' in found) return;
    browser = await chromium.connect(found.address);
    context = await browser.newContext({ timezoneId: 'UTC', locale: 'en-US', reducedMotion: 'reduce' });
    context.setDefaultTimeout(patienceMs);
    // It keeps the process alive that draws the pages of all tests: to start one for each would be half of their work.
    await context.newPage();
  });
  afterAll(async () => browser?.close());
  beforeEach(({ skip }) => {
    if ('problem' in found) skip(found.problem);
  });
  return {
    async openPage({ viewport, colorScheme } = {}) {
      const page = await context.newPage();
      if (viewport !== undefined) await page.setViewportSize(viewport);
      if (colorScheme !== undefined) await page.emulateMedia({ colorScheme });
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(String(error)));
      page.on('console', (message) => {
        // A server that ends before its page does is no fault of the page, nor is one that refuses what a person gives.
        const isError =
          message.type() === 'error' &&
          !/net::ERR_(CONNECTION|EMPTY_RESPONSE|INCOMPLETE)|status of 409/.test(message.text());
        if (isError) errors.push(message.text());
      });
      onTestFinished(async () => {
        await page.close();
        expect(errors).toEqual([]);
      });
      return page;
    },
  };
}
