import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readReadmes, workspaceRoot } from '../readmes/readme.ts';

const run = promisify(execFile);
const readme = readReadmes().find(({ path }) => path === 'packages/agent/agent/README.md')!;
let cwd: string;

beforeAll(async () => {
  // Inside of the package, so that what the agent imports is found.
  cwd = await mkdtemp(join(import.meta.dirname, '../../node_modules/.deploy-'));
  await writeFile(join(cwd, 'package.json'), '{"name":"plain-agent","type":"module"}');
  const { lines } = readme.fences.find(({ language }) => language === 'ts')!;
  await writeFile(join(cwd, 'agent.ts'), lines.join('\n'));
});
afterAll(() => rm(cwd, { recursive: true, force: true, maxRetries: 10 }));

it('the plain agent becomes a bundle of at most 2.5 MB that starts alone, and the doctor has nothing against it', async () => {
  const main = join(workspaceRoot, 'packages/command/cli/src/main.ts');
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
  expect(findings.at(-1)).toMatchObject({ id: 'deploy.answers' });
  const prepared = events.find(({ event }) => event === 'prepared');
  expect(Number.parseFloat(String(prepared!['size']))).toBeLessThanOrEqual(2.5);
});

it('an agent whose bundle starts, and lacks a file when a request comes, is found before anything is written', async () => {
  const agent = (await readFile(join(cwd, 'agent.ts'), 'utf8')).replace(
    'const response = `',
    "const response = readFileSync(new URL('./words.txt', import.meta.url), 'utf8') + `",
  );
  // JavaScript: below node_modules Node removes no types.
  await writeFile(join(cwd, 'words.txt'), 'words');
  await writeFile(join(cwd, 'reading.js'), `import { readFileSync } from 'node:fs';\n${agent}`);
  const main = join(workspaceRoot, 'packages/command/cli/src/main.ts');
  const args = ['--conditions=@art/source', main, 'deploy', 'reading.js', '--name', 'reading'];
  const failed = (await run(process.execPath, args, { cwd }).catch((error: unknown) => error)) as {
    code: number;
    stdout: string;
  };
  expect(failed.code).toBe(18);
  expect(failed.stdout).toMatch(/FAULT +answers a rollout[\s\S]*The agent that is not bundled answers\./);
});

it('an agent whose bundle misses a file in silence, and says something else, is warned of', async () => {
  const agent = (await readFile(join(cwd, 'agent.ts'), 'utf8')).replace(
    'const response = `',
    "const response = (existsSync('rules.txt') ? readFileSync('rules.txt', 'utf8') : '') + `",
  );
  await writeFile(join(cwd, 'rules.txt'), 'Be brief. ');
  await writeFile(join(cwd, 'ruled.js'), `import { existsSync, readFileSync } from 'node:fs';\n${agent}`);
  const main = join(workspaceRoot, 'packages/command/cli/src/main.ts');
  const args = ['--conditions=@art/source', main, 'deploy', 'ruled.js', '--name', 'ruled'];
  const { stdout } = await run(process.execPath, args, { cwd });
  expect(stdout).toMatch(
    /WARNING +answers a rollout[\s\S]*answers otherwise than the agent[\s\S]*agent: .*Be brief\. [\s\S]*bundle: /,
  );
});
