import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createProject, packageNameFrom } from './create-project.ts';
import { type Framework, frameworks } from './frameworks.ts';

const examples = join(import.meta.dirname, '../../../../examples');

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'art-create-agent-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

it.each(frameworks)('%s: the files of the example, and what a project has around them', async (framework) => {
  const folder = join(await emptyFolder(), 'My Agent');
  const written = await createProject({ folder, framework });
  // The SDK of Claude starts a program, which no bundle has in it.
  const ofBuild = framework === 'claude-agent-sdk' ? ['.dockerignore', 'Dockerfile'] : ['app/agent/main.ts'];
  const expected = [
    ...ofBuild,
    '.github/workflows/evaluate.yml',
    '.agents/skills/art-adapt-agent/SKILL.md',
    '.agents/skills/art-debug-rollout/SKILL.md',
    '.agents/skills/art-evaluate/SKILL.md',
    '.agents/skills/art-train/SKILL.md',
    '.agents/skills/art-write-reward/SKILL.md',
    '.claude/skills/art-adapt-agent/SKILL.md',
    '.claude/skills/art-debug-rollout/SKILL.md',
    '.claude/skills/art-evaluate/SKILL.md',
    '.claude/skills/art-train/SKILL.md',
    '.claude/skills/art-write-reward/SKILL.md',
    '.gitignore',
    'AGENTS.md',
    'CLAUDE.md',
    'README.md',
    'agent.ts',
    'agentcore/.gitignore',
    'agentcore/agentcore.json',
    'agentcore/art.json',
    'agentcore/aws-targets.json',
    'agentcore/policies/client.json',
    'model.ts',
    'package.json',
    'reward.ts',
    'tasks.jsonl',
    'tsconfig.json',
  ];
  expect(written.toSorted()).toEqual(expected.toSorted());
  const textOf = (path: string): Promise<string> => readFile(join(folder, path), 'utf8');
  for (const path of ['agent.ts', 'reward.ts', 'tasks.jsonl', 'model.ts'])
    expect(await textOf(path)).toBe(await readFile(join(examples, framework, path), 'utf8'));

  const example = JSON.parse(await readFile(join(examples, framework, 'package.json'), 'utf8')) as Manifest;
  const manifest = JSON.parse(await textOf('package.json')) as Manifest;
  expect(manifest.name).toBe('my-agent');
  expect(manifest.scripts['train']).toMatch(/^art train agent\.ts --tasks tasks\.jsonl --on local /);
  expect(Object.keys(manifest.dependencies)).toEqual(Object.keys(example.dependencies));
  expect(manifest.devDependencies).toHaveProperty('@art/cli', manifest.dependencies['@art/agent']);
  for (const version of Object.values({ ...manifest.dependencies, ...manifest.devDependencies }))
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  expect(await textOf('README.md')).toMatch(
    /## The line for the endpoint[\s\S]+## What goes wrong without it/,
  );
  expect(await textOf('agentcore/agentcore.json')).toContain('"name": "myAgent"');
});

interface Manifest {
  name: string;
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

it.each([
  [
    'an unknown framework',
    { framework: 'langchain' as Framework },
    /`framework` to be one of openai, strands/,
  ],
  ['a name that npm does not take', { name: 'Maths Agent' }, /`name` to be a name for a package/],
])('refuses %s, and writes nothing', async (_what, wrong, message) => {
  const folder = await emptyFolder();
  await expect(createProject({ folder, framework: 'openai', ...wrong })).rejects.toMatchObject({
    code: 'ART_INVALID_OPTION',
    message: expect.stringMatching(message) as string,
  });
  expect(await readdir(folder)).toEqual([]);
});

it('refuses a folder with files in it, and a file; a fresh repository of git is empty enough', async () => {
  const folder = await emptyFolder();
  await mkdir(join(folder, '.git'));
  const file = join(folder, 'taken', 'notes.txt');
  await mkdir(join(folder, 'taken'));
  await writeFile(file, 'mine');
  await expect(createProject({ folder: join(folder, 'taken'), framework: 'openai' })).rejects.toThrow(
    /to be an empty folder, and there is notes\.txt in it/,
  );
  await expect(createProject({ folder: file, framework: 'openai' })).rejects.toThrow(/\(ENOTDIR\)/);
  expect(await readdir(join(folder, 'taken'))).toEqual(['notes.txt']);
  await rm(join(folder, 'taken'), { recursive: true });
  await createProject({ folder, framework: 'openai' });
});

it.each([
  ['My Agent', 'my-agent'],
  ['/a/_private', 'private'],
  ['agent_2.0', 'agent_2.0'],
  ['ünï', 'n'],
  ['/', 'my-agent'],
])('makes a package name of %s', (folder, name) => {
  expect(packageNameFrom(folder)).toBe(name);
});
