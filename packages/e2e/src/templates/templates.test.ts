import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { createProject, frameworks } from '@art/create-agent';
import { readRunRecord } from '@art/eval/records';
import { expect, it, onTestFinished } from 'vitest';
import { workspaceRoot } from '../readmes/readme.ts';

const run = promisify(execFile);
const art = join(workspaceRoot, 'packages/cli/src/main.ts');

/** Every template, each with what its example has installed in place of an installation. */
async function generate(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'art-templates-'));
  onTestFinished(() => rm(root, { recursive: true, force: true, maxRetries: 10 }));
  for (const framework of frameworks) {
    const folder = join(root, framework);
    await createProject({ folder, framework });
    await symlink(join(workspaceRoot, 'examples', framework, 'node_modules'), join(folder, 'node_modules'));
  }
  return root;
}

it('every template compiles, and one shows its table', { timeout: 180_000 }, async () => {
  const root = await generate();
  const folder = join(root, 'openai');
  const [compiled, evaluated] = await Promise.all([compile(root), evaluate(folder)]);
  expect(compiled).toBe('');
  // As one process for each problem makes it: the agents of the others run in framework-examples.test.ts.
  expect(evaluated).toMatchObject({ outcomes: { ok: 3 }, mean: { value: 1 }, verdict: 'passed' });
  // What "art eval --resume" starts again with.
  const { options } = await readRunRecord(resolve(folder, evaluated.folder));
  expect(options['cli']).toMatchObject({ mockModel: 'model.ts' });
});

/** One program for all, with the options of the first, so that what they share is read once. */
async function compile(root: string): Promise<string> {
  const config = {
    extends: `./${frameworks[0]}/tsconfig.json`,
    compilerOptions: { customConditions: ['@art/source'], types: [] },
    include: ['*/*.ts', join(workspaceRoot, 'examples/openai/node_modules/@types/node/index.d.ts')],
    exclude: [],
  };
  await writeFile(join(root, 'tsconfig.json'), JSON.stringify(config));
  const tsc = join(workspaceRoot, 'packages/e2e/node_modules/.bin/tsc');
  return run(tsc, ['-p', root, '--pretty', 'false']).then(
    ({ stdout }) => stdout,
    (error: { stdout: string; message: string }) => error.stdout || error.message,
  );
}

/** The project's own script, on a few of its tasks. */
async function evaluate(folder: string): Promise<{ folder: string }> {
  const { scripts } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    scripts: { eval: string };
  };
  const [program, ...words] = scripts.eval.split(' ');
  expect(program).toBe('art');
  const { GITHUB_STEP_SUMMARY: _, ...env } = process.env;
  const { stdout } = await run(
    process.execPath,
    [art, ...words, '--limit', '3', '--min-reward', '1', '--json'],
    {
      cwd: folder,
      env: { ...env, NODE_OPTIONS: '--conditions=@art/source --no-warnings' },
    },
  );
  return JSON.parse(stdout) as { folder: string };
}
