import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shortlist } from '@art/tooling/thorough';
import { expect, it, onTestFinished } from 'vitest';
import { workspaceRoot } from '../workspace-root.ts';

it.each(
  shortlist(
    [
      ['examples/customer-service', ['cancel', 'easy']],
      ['examples/code-migration', ['easy']],
      ['examples/office-work', ['spreadsheet']],
    ],
    1,
  ),
)('npm run try of %s prints the table by tag', async (example, tags) => {
  const out = await mkdtemp(join(tmpdir(), 'art-try-'));
  onTestFinished(() => rm(out, { recursive: true, force: true }));
  const table = await tryExample(join(workspaceRoot, example), '--limit', '1', '--out', join(out, 'run'));
  for (const row of ['mean reward', ...tags.map((tag) => `${tag} +1`)])
    expect(table).toMatch(new RegExp(`^${row} +1\\.000`, 'm'));
});

/** Runs `npm run try` of an example, which prints the table of `art eval`. */
async function tryExample(folder: string, ...options: string[]): Promise<string> {
  const { GITHUB_STEP_SUMMARY: _, FORCE_COLOR: __, ...env } = process.env;
  const child = spawn('npm', ['run', '--silent', 'try', '--', ...options], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => (output += part));
  child.stderr.setEncoding('utf8').on('data', (part: string) => (output += part));
  const [code] = (await once(child, 'close')) as [number | null];
  return code === 0 ? output : `exit code ${code}\n${output}`;
}
