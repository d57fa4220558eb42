import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { shortlist } from '@art/tooling/thorough';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { workspaceRoot } from './readmes/readme.ts';

const main = join(workspaceRoot, 'packages/command/cli/src/main.ts');
const handler = `new AgentCoreRLApp({
  config: { logging: { enabled: false } },
  invocationHandler: { process: async ({ prompt }) => ({ text: prompt, reward: 1 }) },
}).run();`;
const files = {
  // As "npm init -y" writes it.
  'package.json': '{"name":"commonjs-project","version":"1.0.0","type":"commonjs"}',
  'agent.js': `const { AgentCoreRLApp } = require('@art/agent');\nvoid ${handler}`,
  'module.mts': `import { AgentCoreRLApp } from '@art/agent';\nvoid ${handler}`,
  'import.ts': `import { AgentCoreRLApp } from '@art/agent';\nvoid ${handler}`,
  'judge.cjs': 'module.exports = ({ document }) => (document.text === "x" ? 0.5 : 0);',
  'judge.ts': 'import "node:path";\nexport default () => 1;',
  'tasks.jsonl': '{"id":"a","payload":{"prompt":"x"}}\n',
};
let cwd: string;

beforeAll(async () => {
  // Inside of the package, so that what the agent imports is found; not below node_modules, where Node removes no types.
  cwd = await mkdtemp(join(import.meta.dirname, '../.readmes-commonjs-'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(cwd, name), text);
});
afterAll(() => rm(cwd, { recursive: true, force: true, maxRetries: 10 }));

function art(...args: string[]): Promise<{ code: number; said: string }> {
  const words = [main, ...args];
  // Of its sessions too: the packages are not built here.
  const env = { ...process.env, NODE_OPTIONS: '--conditions=@art/source' };
  return new Promise((resolve) =>
    execFile(process.execPath, words, { cwd, env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), said: stdout + stderr }),
    ),
  );
}

it.each(
  shortlist(
    [
      ['requires the packages', ['agent.js'], /0\.5/],
      ['is a module by its name', ['module.mts'], /0\.5/],
    ],
    1,
  ),
)('an agent of a CommonJS project that %s is evaluated', async (_what, agent, figure) => {
  const { code, said } = await art('eval', ...agent, '--tasks', 'tasks.jsonl', '--reward', 'judge.cjs');
  expect(said).toMatch(figure);
  expect(code).toBe(0);
});

it.each(
  shortlist(
    [
      ['a judge', ['eval', 'agent.js', '--tasks', 'tasks.jsonl', '--reward', 'judge.ts']],
      ['an agent', ['eval', 'import.ts', '--tasks', 'tasks.jsonl']],
      ['an agent that is examined', ['doctor', 'import.ts']],
    ],
    2,
  ),
)('%s that imports is told of in one sentence', async (_what, words) => {
  const { code, said } = await art(...words);
  expect(said).toMatch(/project is CommonJS, as "npm init" writes it: run "npm pkg set type=module"/);
  expect(code).not.toBe(0);
});
