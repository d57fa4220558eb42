import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

/** Writes every file that is loaded after it to stderr. */
const tracing = `data:text/javascript,import { registerHooks } from 'node:module'; import { writeSync } from 'node:fs';
registerHooks({ load(url, context, next) { writeSync(2, url + '\\n'); return next(url, context); } });`;

it.each([
  [['eval', '--help'], '/src/commands/eval.ts', /\/(typebox|yaml|@aws-sdk)\//],
  [['dev', '--help'], '/src/commands/dev.ts', /\/(typebox|undici|yaml)\//],
])('art %j loads no library before its work needs it', async (argv, own, heavy) => {
  const { stderr } = await promisify(execFile)(process.execPath, [
    '--conditions=@art/source',
    `--import=${tracing}`,
    join(import.meta.dirname, 'main.ts'),
    ...argv,
  ]);
  const loaded = stderr.split('\n').map((url) => url.replace(/^.*\/node_modules\//, '/'));
  expect(loaded.some((file) => file.endsWith(own))).toBe(true);
  expect(loaded.filter((file) => heavy.test(file))).toEqual([]);
});
