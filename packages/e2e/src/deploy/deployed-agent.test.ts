import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readReadmes, workspaceRoot } from '../readmes/readme.ts';

const run = promisify(execFile);
const readme = readReadmes().find(({ path }) => path === 'packages/agent/README.md')!;
let cwd: string;

beforeAll(async () => {
  // Inside of the package, so that what the agent imports is found.
  cwd = await mkdtemp(join(import.meta.dirname, '../../node_modules/.deploy-'));
  await writeFile(join(cwd, 'package.json'), '{"name":"plain-agent","type":"module"}');
  const { lines } = readme.fences.find(({ language }) => language === 'ts')!;
  await writeFile(join(cwd, 'agent.ts'), lines.join('\n'));
});
afterAll(() => rm(cwd, { recursive: true, force: true, maxRetries: 10 }));

it(
  'the plain agent becomes a bundle of at most 2.5 MB that starts alone, and the doctor has nothing against it',
  { timeout: 60_000 },
  async () => {
    const main = join(workspaceRoot, 'packages/cli/src/main.ts');
    const args = ['--conditions=@art/source', main, 'deploy', 'agent.ts', '--bucket', 'my-results', '--json'];
    const { stdout } = await run(process.execPath, args, { cwd });
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const findings = events.filter(({ event }) => event === 'finding');
    expect(findings.length).toBeGreaterThan(6);
    // How long a start takes is a matter of what else this machine does.
    expect(findings.filter(({ id, verdict }) => verdict !== 'ok' && id !== 'bundle.start')).toEqual([]);
    const prepared = events.find(({ event }) => event === 'prepared');
    expect(Number.parseFloat(String(prepared!['size']))).toBeLessThanOrEqual(2.5);
  },
);
