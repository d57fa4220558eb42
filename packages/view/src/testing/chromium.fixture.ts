import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, onTestFinished } from 'vitest';

/** A browser for the tests of a file. Each page that it opens is closed with its test, which fails where the page said an error. */
export function useChromium(): { openPage(options?: BrowserContextOptions): Promise<Page> } {
  let browser: Browser | undefined;
  beforeAll(async () => {
    const found = inject('chromium');
    if ('problem' in found) throw new Error(found.problem);
    browser = await chromium.connect(found.address);
  });
  afterAll(async () => browser?.close());
  return {
    async openPage(options = {}) {
      const context = await browser!.newContext({ timezoneId: 'UTC', locale: 'en-US', ...options });
      const page = await context.newPage();
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(String(error)));
      page.on('console', (message) => {
        // A server that ends before its page does is no fault of the page.
        const isError = message.type() === 'error' && !message.text().includes('net::ERR_CONNECTION');
        if (isError) errors.push(message.text());
      });
      onTestFinished(async () => {
        await context.close();
        expect(errors).toEqual([]);
      });
      return page;
    },
  };
}
