import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

/** Flags that a browser of the tests is started with. */
export const chromiumFlags: readonly string[] = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const places = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/**
 * The program of a Chromium: the one that `CHROMIUM_PATH` names, that of the machine, else one that a package brings.
 * @throws Error where there is none
 */
export async function findChromium(): Promise<string> {
  const chosen = process.env['CHROMIUM_PATH'] ?? '';
  if (chosen !== '') {
    if (isProgram(chosen)) return chosen;
    throw new Error(`CHROMIUM_PATH names no program: ${chosen}`);
  }
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const candidates = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  const found = [...candidates, ...places].find(isProgram);
  if (found !== undefined) return found;
  const advice = 'install Chromium or Google Chrome, or set CHROMIUM_PATH to its program';
  if (process.platform !== 'linux' || process.arch !== 'x64') throw new Error(advice);
  return installChromium().catch((cause: unknown) => {
    throw new Error(`${advice}; npm could not install ${packaged} in its place`, { cause });
  });
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
async function installChromium(): Promise<string> {
  const folder = join(import.meta.dirname, '../../../../../node_modules/.cache/art-chromium');
  const manifest = join(folder, 'node_modules/@sparticuz/chromium/package.json');
  if (!existsSync(manifest)) {
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
  const { default: brought } = (await import(
    pathToFileURL(createRequire(manifest).resolve('@sparticuz/chromium')).href
  )) as {
    default: { executablePath: () => Promise<string> };
  };
  return brought.executablePath();
}
