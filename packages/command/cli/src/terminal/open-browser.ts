import { spawn } from 'node:child_process';

/**
 * Opens an address in the user's browser.
 * @returns why it could not be opened; undefined where it was
 */
export async function openBrowser(
  url: string,
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): Promise<string | undefined> {
  const program = env['BROWSER'] ?? (platform === 'darwin' ? 'open' : 'xdg-open');
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const child = spawn(program, [url], { env, stdio: 'ignore', detached: true });
  child.once('error', ({ message }) => resolve(message));
  // A browser that this was the first window of stays; what hands the address on ends.
  child.once('spawn', () => resolve(undefined));
  child.unref();
  return promise;
}
