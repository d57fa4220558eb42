import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { createProject } from '@art/create-agent';
import { readRunRecord } from '@art/eval/records';
import { expect, it, onTestFinished } from 'vitest';
import { workspaceRoot } from '../readmes/readme.ts';

const run = promisify(execFile);
const art = join(workspaceRoot, 'packages/command/cli/src/main.ts');

it(
  "a new project compiles and shows its table, by the project's own scripts",
  { timeout: 180_000 },
  async () => {
    const root = await mkdtemp(join(tmpdir(), 'art-templates-'));
    onTestFinished(() => rm(root, { recursive: true, force: true, maxRetries: 10 }));
    // The files of the other templates are those of the examples, which the workspace compiles and framework-examples.test.ts runs.
    const folder = join(root, 'openai');
    await createProject({ folder, framework: 'openai' });
    // What the example has installed in place of an installation.
    await symlink(join(workspaceRoot, 'examples/openai/node_modules'), join(folder, 'node_modules'));
    const evaluating = script(folder, 'eval', '--limit', '3', '--min-reward', '1', '--json');
    const [compiled, output] = await Promise.all([compile(folder), evaluating]);
    const evaluated = JSON.parse(output) as { folder: string };
    expect(compiled).toBe('');
    expect(evaluated).toMatchObject({ outcomes: { ok: 3 }, mean: { value: 1 }, verdict: 'passed' });
    // What "art eval --resume" starts again with.
    const { options } = await readRunRecord(resolve(folder, evaluated.folder));
    expect(options['cli']).toMatchObject({ mockModel: 'model.ts' });
    // The script's own hint mends what it had wrong.
    expect(await script(folder, 'improve')).toMatch(/1 \(best\) +candidate 0 +system +1\.000/);
  },
);

/** As `npm run typecheck` does, but against the sources of the workspace. */
async function compile(folder: string): Promise<string> {
  const tsc = join(workspaceRoot, 'packages/internal/e2e/node_modules/.bin/tsc');
  const words = ['-p', folder, '--pretty', 'false', '--customConditions', '@art/source', '--singleThreaded'];
  return run(tsc, words, { env: { ...process.env, GOGC: '400' } }).then(
    ({ stdout }) => stdout,
    (error: { stdout: string; message: string }) => error.stdout || error.message,
  );
}

/** Runs a script of the project, with further options, and returns what it prints. */
async function script(folder: string, name: string, ...options: string[]): Promise<string> {
  const { scripts } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const [program, ...words] = scripts[name]!.split(' ');
  expect(program).toBe('art');
  const { GITHUB_STEP_SUMMARY: _, ...env } = process.env;
  const { stdout } = await run(process.execPath, [art, ...words, ...options], {
    cwd: folder,
    env: { ...env, NODE_OPTIONS: '--conditions=@art/source --no-warnings' },
  });
  return stdout;
}
