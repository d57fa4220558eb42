import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { chromiumFlags, findChromium } from './find-chromium.fixture.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the browser is reached, or why there is none. */
    chromium: { address: string } | { problem: string };
  }
}

/** Starts one browser for all files of tests. */
export default async function provideChromium(project: TestProject): Promise<(() => Promise<void>) | void> {
  try {
    // Playwright makes an empty profile and removes it.
    const server = await chromium.launchServer({
      executablePath: await findChromium(),
      args: [...chromiumFlags],
      timeout: 180_000,
    });
    project.provide('chromium', { address: server.wsEndpoint() });
    return () => server.close();
  } catch (error) {
    project.provide('chromium', { problem: firstComplaint((error as Error).message) });
  }
}

/** One line: what the program itself said, where Playwright tells that among much else. */
function firstComplaint(message: string): string {
  return (/(?<=\[err\] ).+/.exec(message) ?? message.split('\n', 1))[0]!;
}
