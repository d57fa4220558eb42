import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A browser for the tests of a file. Each page that it opens is closed with its test, which fails where the page said an error. */
export function useChromium(): { openPage(options?: BrowserContextOptions): Promise<Page> } {
  let browser: Browser | undefined;
  beforeAll(async () => {
    const { executablePath, args } = await findChromium();
    // Playwright makes an empty profile for each launch and removes it.
    browser = await chromium.launch({ executablePath, args: [...flags, ...args] });
  }, 300_000);
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

interface FoundChromium {
  executablePath: string;
  args: readonly string[];
}

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const places = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

async function findChromium(): Promise<FoundChromium> {
  const chosen = process.env['CHROMIUM_PATH'];
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const candidates = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  const found = [...(chosen === undefined ? [] : [chosen]), ...candidates, ...places].find(isProgram);
  if (found !== undefined) return { executablePath: found, args: [] };
  if (process.platform === 'linux' && process.arch === 'x64') return installChromium();
  throw new Error(
    'The tests of the page need Chromium: install Chromium or Google Chrome, or set CHROMIUM_PATH to its program.',
  );
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const packaged = '@sparticuz/chromium@153.0.0';

/** Once for a workspace: a package of 70 MB that brings the browser, which is too much for everybody's install. */
async function installChromium(): Promise<FoundChromium> {
  const folder = join(import.meta.dirname, '../../../../node_modules/.cache/art-chromium');
  const entry = join(folder, 'node_modules/@sparticuz/chromium/build/esm/index.js');
  if (!existsSync(entry)) {
    await mkdir(folder, { recursive: true });
    await promisify(execFile)('npm', [
      'install',
      '--prefix',
      folder,
      '--no-save',
      '--no-audit',
      '--no-fund',
      packaged,
    ]);
  }
  const { default: brought } = (await import(pathToFileURL(entry).href)) as {
    default: { args: string[]; executablePath(): Promise<string> };
  };
  return { executablePath: await brought.executablePath(), args: [] };
}
