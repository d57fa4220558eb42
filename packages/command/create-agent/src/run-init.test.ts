import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import type { InitOptions } from './init-command.ts';
import { runInit } from './run-init.ts';

let cwd: string;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'art-init-'));
  onTestFinished(() => rm(cwd, { recursive: true, force: true }));
});

/** @param typed by somebody at a terminal; without it there is none */
async function run(options: Partial<InitOptions>, typed?: string[], agent?: string) {
  let output = '';
  const stdin = Object.assign(Readable.from(typed ?? []), { isTTY: typed !== undefined });
  const stdout = { write: (text: string) => (output += text) };
  const code = await runInit(
    { yes: false, skills: false, ...options },
    { cwd, stdin, stdout, env: { npm_config_user_agent: agent } },
  );
  return { code, output, isReleased: stdin.destroyed };
}

const agentIn = (folder: string): Promise<string> => readFile(join(cwd, folder, 'agent.ts'), 'utf8');

it('asks for what was not said, until it is understood', async () => {
  // A terminal gives lines in any pieces.
  const { code, output, isReleased } = await run({}, ['mat', 'hs\n9', '\nmastra\n']);
  expect(code).toBe(0);
  expect(await agentIn('maths')).toContain('@mastra/core');
  expect(output).toMatch(/^Folder \(my-agent\): {3}1 {2}openai\n {2}2 {2}Strands\n/);
  expect(output).toContain('Expected a number from 1 to 7, got "9".\n');
  expect(output).toContain('  cd maths\n  npm install\n  npm run eval\n');
  expect(isReleased).toBe(true);
});

it('takes numbers, and the defaults for empty lines', async () => {
  await run({ folder: 'a' }, ['2\n']);
  expect(await agentIn('a')).toContain('@strands-agents/sdk');
  await run({}, ['\n\n']);
  expect(await agentIn('my-agent')).toContain("from 'openai'");
});

it('asks nothing where all is said', async () => {
  const { output } = await run({ folder: '.', framework: 'langgraph', name: 'x' });
  expect(output).toMatch(/^Wrote 27 files to \.: an agent on LangGraph\.js\. Next:\n\n {2}npm install\n/);
  expect(await run({ yes: true })).toMatchObject({ code: 0 });
  expect(await readdir(cwd)).toContain('my-agent');
});

it.each([
  ['npm/11.0.0 node/v24.21.0 linux x64', '  npm install\n  npm run eval\n'],
  ['pnpm/12.21.0 npm/? node/v24.21.0 linux x64', '  pnpm install\n  pnpm run eval\n'],
  ['bun/1.4.5 npm/? node/v24.3.0 linux x64', '  bun install\n  bun run eval\n'],
  ['yarn/1.22.22 npm/? node/v24.21.0 linux x64', '  yarn install\n  yarn run eval\n'],
  [
    'yarn/4.18.0 npm/? node/v24.21.0 linux x64',
    '  yarn config set nodeLinker node-modules\n  yarn install\n  yarn run eval\n',
  ],
])('says what is next in the words of %s', async (agent, commands) => {
  const { output } = await run({ folder: '.', framework: 'openai' }, undefined, agent);
  expect(output).toContain(`Next:\n\n${commands}\nThe README`);
});

it('writes skills alone into a project that exists, and leaves what is its own', async () => {
  await expect(run({ skills: true })).rejects.toMatchObject({ code: 'ART_INVALID_OPTION' });
  expect(await readdir(cwd)).toEqual([]);
  await writeFile(join(cwd, 'package.json'), '{}');
  await writeFile(join(cwd, 'AGENTS.md'), 'ours');
  const first = await run({ skills: true });
  expect(first.output).toContain('.agents/skills/art-evaluate/SKILL.md\n');
  expect(first.output).toContain('AGENTS.md is yours and stays.');
  expect(await readFile(join(cwd, 'AGENTS.md'), 'utf8')).toBe('ours');
  expect((await readdir(cwd)).toSorted()).toEqual([
    '.agents',
    '.claude',
    'AGENTS.md',
    'CLAUDE.md',
    'package.json',
  ]);
  // Those of another version are replaced.
  const skill = join(cwd, '.agents/skills/art-evaluate/SKILL.md');
  await writeFile(skill, 'old');
  const second = await run({ skills: true });
  expect(second.output).toContain('AGENTS.md is yours and stays.');
  // It includes AGENTS.md.
  expect(second.output).not.toContain('CLAUDE.md');
  expect(await readFile(skill, 'utf8')).toMatch(/^---\nname: art-evaluate\n/);
});

it.each([
  ['no terminal', undefined, /there is no terminal to ask at/],
  ['an end of the input', ['maths\n'], /got the end of the input/],
])('writes nothing with %s', async (_what, typed, message) => {
  await expect(run({}, typed)).rejects.toMatchObject({
    code: 'ART_INVALID_OPTION',
    message: expect.stringMatching(message) as string,
  });
  expect(await readdir(cwd)).toEqual([]);
});
