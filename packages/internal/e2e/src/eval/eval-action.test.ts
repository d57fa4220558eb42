import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMockModel } from '@art/mock-model';
import { expect, it, onTestFinished } from 'vitest';
import { nodeOptions } from './art-eval.fixture.ts';

const root = join(import.meta.dirname, '../../../../..');
const agent = join(import.meta.dirname, 'eval-agent.fixture.ts');
const main = join(root, 'packages/command/cli/src/main.ts');

/** The script of the action, as GitHub runs it. */
async function actionScript(): Promise<string> {
  const action = await readFile(join(root, '.github/actions/eval/action.yml'), 'utf8');
  const [, script = ''] = /\n {6}run: \|\n((?: {8}.*\n|\n)+)/.exec(action) ?? [];
  return script.replaceAll(/^ {8}/gm, '');
}

it('the action for GitHub keeps the run of a push, and comments on a pull request that is worse', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'art-action-'));
  onTestFinished(() => rm(cwd, { recursive: true, force: true, maxRetries: 10 }));
  let isWorse = false;
  const model = await startMockModel({
    reply: ({ question }) => (isWorse && question.includes('even') ? 'no' : 'yes'),
  });
  onTestFinished(() => model.close());
  const tasks = Array.from({ length: 16 }, (_, at) => ({
    id: `t${at}`,
    payload: { prompt: at % 2 ? 'odd' : 'even', answer: 'yes' },
  }));
  await writeFile(join(cwd, 'tasks.jsonl'), tasks.map((task) => `${JSON.stringify(task)}\n`).join(''));
  await mkdir(join(cwd, 'bin'));
  const stubs = {
    npx: `shift 2; exec "${process.execPath}" "${main}" "$@"`,
    gh: 'echo "$@" > gh-arguments; cp comment.md gh-comment.md',
  };
  for (const [name, text] of Object.entries(stubs)) {
    await writeFile(join(cwd, 'bin', name), `#!/bin/sh\n${text}\n`);
    await chmod(join(cwd, 'bin', name), 0o755);
  }
  const script = await actionScript();
  const ran = (pullRequest: string): Promise<{ code: number; output: string }> =>
    new Promise((resolve) => {
      const { GITHUB_STEP_SUMMARY: _, ...env } = process.env;
      execFile(
        'bash',
        ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script],
        {
          cwd,
          env: {
            ...env,
            NODE_OPTIONS: nodeOptions,
            PATH: `${cwd}/bin:${env['PATH']}`,
            ART_ARGS: `${agent} --tasks tasks.jsonl --sessions server --base-url ${model.baseUrl} --model-id mock`,
            ART_MAX_DROP: '0.1',
            ART_PULL_REQUEST: pullRequest,
          },
        },
        (error, stdout, stderr) =>
          resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr }),
      );
    });

  expect(await ran('')).toMatchObject({ code: 0 });
  await rm(join(cwd, '.art/evals'), { recursive: true });
  isWorse = true;
  const { code, output } = await ran('7');
  expect(output).toContain('worse: the whole interval lies below 0');
  expect(code).toBe(1);
  expect(await readFile(join(cwd, 'gh-arguments'), 'utf8')).toMatch(/^pr comment 7 --body-file comment\.md /);
  const comment = await readFile(join(cwd, 'gh-comment.md'), 'utf8');
  expect(comment).toContain('## ❌ The candidate is worse');
  expect(comment).toContain('| -0.500 |');
});
