import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

/** Node's list of its own modules that it has loaded. */
async function builtinsAfter(specifier: string): Promise<string> {
  const print = 'console.log(process.moduleLoadList.join());';
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--conditions=@art/source',
    '--input-type=module',
    '--eval',
    `await import(${JSON.stringify(specifier)}); ${print}`,
  ]);
  return stdout;
}

it("loads an agent's server without Node's own client, which takes longer than the server", async () => {
  expect(await builtinsAfter(join(import.meta.dirname, '../index.ts'))).not.toContain('undici');
  expect(await builtinsAfter('data:text/javascript,globalThis.WebSocket')).toContain('undici');
});
