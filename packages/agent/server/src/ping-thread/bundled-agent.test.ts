import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'tsup';
import { afterEach, beforeEach, expect, it } from 'vitest';
import config from '../../tsup.config.ts';

const root = join(import.meta.dirname, '../..');
let out: string;

beforeEach(async () => {
  // Inside of the package, so that what stays outside of the bundle is found.
  out = await mkdtemp(join(root, 'node_modules/.bundle-'));
});

afterEach(() => rm(out, { recursive: true, force: true, maxRetries: 10 }));

it('pings have a thread of their own in an agent that was bundled into one file, minified with names kept', async () => {
  await build({
    ...config,
    entry: [join(import.meta.dirname, 'bundled-agent.fixture.ts')],
    outDir: out,
    config: false,
    silent: true,
    clean: false,
    sourcemap: false,
    format: 'cjs',
    noExternal: [/@art/],
    splitting: false,
    minify: true,
    keepNames: true,
    esbuildOptions: (options) => {
      options.conditions = ['@art/source'];
    },
  });
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [
    join(out, 'bundled-agent.fixture.cjs'),
  ]);
  // A warning that there is no thread would be its own line.
  expect(stdout).toMatch(/^\{"status":"Healthy","time_of_last_update":\d+\}\n$/);
  expect(stderr).toBe('');
});
