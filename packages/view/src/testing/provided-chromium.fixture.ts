import { chromiumFlags, findChromium } from '@art/tooling/find-chromium';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';

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
    });
    project.provide('chromium', { address: server.wsEndpoint() });
    return () => server.close();
  } catch (error) {
    project.provide('chromium', { problem: (error as Error).message });
  }
}
