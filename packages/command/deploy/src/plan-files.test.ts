import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { agentcoreFiles } from './agentcore-files.ts';
import { planFiles, type PlannedFile, writePlannedFiles } from './plan-files.ts';

const options = {
  agent: 'agent.ts',
  project: 'mathAgent',
  bucket: 'my-results',
  build: 'Container',
} as const;

async function folderWith(files: Record<string, unknown>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'art-deploy-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}

const actions = (plan: readonly PlannedFile[]): Record<string, string> =>
  Object.fromEntries(plan.map(({ path, action }) => [path, action]));

const projectIn = async (folder: string): Promise<{ runtimes: Record<string, unknown>[] }> =>
  JSON.parse(await readFile(join(folder, 'agentcore/agentcore.json'), 'utf8')) as never;

it('creates everything once, and finds nothing to do the second time', async () => {
  const folder = await folderWith({});
  const first = await planFiles(folder, agentcoreFiles(options));
  expect(new Set(Object.values(actions(first)))).toEqual(new Set(['create']));
  await writePlannedFiles(folder, first);
  const second = await planFiles(folder, agentcoreFiles(options));
  expect(new Set(Object.values(actions(second)))).toEqual(new Set(['same']));
});

it('keeps a file that somebody changed and says in what it differs, until it is forced', async () => {
  const folder = await folderWith({ Dockerfile: 'FROM node:22\nUSER node\n' });
  const plan = await planFiles(folder, agentcoreFiles(options));
  const kept = plan.find(({ path }) => path === 'Dockerfile')!;
  expect(kept).toMatchObject({ action: 'keep', text: 'FROM node:22\nUSER node\n' });
  expect(kept.differences).toContain('- FROM node:22');
  expect(kept.differences.join()).not.toContain('USER node');
  await writePlannedFiles(folder, plan);
  expect(await readFile(join(folder, 'Dockerfile'), 'utf8')).toBe(kept.text);

  const forced = await planFiles(folder, agentcoreFiles(options), { force: true });
  await writePlannedFiles(folder, forced);
  expect(await readFile(join(folder, 'Dockerfile'), 'utf8')).toContain('linux/arm64');
});

it('puts its entry into a project that is there, and leaves everything else as it is', async () => {
  const existing = {
    name: 'theirs',
    version: 3,
    tags: { team: 'a' },
    memories: [{ name: 'm' }],
    runtimes: [{ name: 'other', build: 'CodeZip' }],
  };
  const folder = await folderWith({ 'agentcore/agentcore.json': existing });
  const plan = await planFiles(folder, agentcoreFiles(options));
  expect(actions(plan)['agentcore/agentcore.json']).toBe('merge');
  await writePlannedFiles(folder, plan);
  const project = await projectIn(folder);
  expect({ ...project, runtimes: [project.runtimes[0]] }).toEqual(existing);
  expect(project.runtimes[1]).toMatchObject({ name: 'agent', build: 'Container' });
});

it('keeps what was changed in its own entry, adds what is missing, and says what differs', async () => {
  const entry = {
    name: 'agent',
    build: 'CodeZip',
    networkMode: 'VPC',
    networkConfig: { subnets: [] },
    additionalPolicies: ['kms.json'],
  };
  const folder = await folderWith({ 'agentcore/agentcore.json': { name: 'p', runtimes: [entry] } });
  const plan = await planFiles(folder, agentcoreFiles(options));
  expect(plan[0]!.differences).toEqual(['agent.build is "CodeZip", not "Container"']);
  await writePlannedFiles(folder, plan);
  expect((await projectIn(folder)).runtimes[0]).toMatchObject({
    ...entry,
    runtimeVersion: 'NODE_22',
    additionalPolicies: ['kms.json', 'agentcore/policies/agent.json'],
  });
  await writePlannedFiles(folder, await planFiles(folder, agentcoreFiles(options), { force: true }));
  expect((await projectIn(folder)).runtimes[0]).toMatchObject({
    build: 'Container',
    networkMode: 'VPC',
    networkConfig: { subnets: [] },
  });
});

it('brings up to date what nobody has changed since it was written, and keeps the rest', async () => {
  const folder = await folderWith({});
  const { bucket: _, ...before } = options;
  await writePlannedFiles(folder, await planFiles(folder, agentcoreFiles(before)));
  // As git may check it out on Windows.
  const ignore = join(folder, '.dockerignore');
  await writeFile(ignore, (await readFile(ignore, 'utf8')).replaceAll('\n', '\r\n'));
  await writeFile(join(folder, 'Dockerfile'), 'FROM node:24\n');
  const entry = {
    lifecycleConfiguration: { idleRuntimeSessionTimeout: 60 },
    envVars: [{ name: 'A', value: 'b' }],
    networkMode: 'VPC',
    networkConfig: { subnets: ['subnet-1'], securityGroups: ['sg-1'] },
  };
  const project = await projectIn(folder);
  Object.assign(project.runtimes[0]!, entry);
  await writeFile(join(folder, 'agentcore/agentcore.json'), JSON.stringify(project));

  for (const force of [false, true]) {
    const plan = await planFiles(folder, agentcoreFiles({ ...options, build: 'CodeZip' }), { force });
    await writePlannedFiles(folder, plan);
    if (!force)
      expect(actions(plan)).toMatchObject({
        'agentcore/agentcore.json': 'merge',
        'agentcore/policies/client.json': 'update',
        'agentcore/policies/agent.json': 'create',
      });
    const [now] = (await projectIn(folder)).runtimes;
    expect(now).toMatchObject({ ...entry, build: 'CodeZip', codeLocation: 'app/agent/' });
    expect(now).not.toHaveProperty('dockerfile');
  }
  const again = await planFiles(folder, agentcoreFiles(options));
  expect(actions(again)).toMatchObject({ '.dockerignore': 'same', Dockerfile: 'keep' });
});

it('adds a target beside those that are there', async () => {
  const target = { name: 'default', account: '111111111111', region: 'eu-west-1' };
  const folder = await folderWith({ 'agentcore/aws-targets.json': [target] });
  const place = { account: '222222222222', region: 'us-west-2' };
  const plan = await planFiles(folder, agentcoreFiles({ ...options, ...place }));
  const text = plan.find(({ path }) => path.endsWith('aws-targets.json'))!.text;
  expect(JSON.parse(text)).toEqual([target, { name: 'us-west-2-222222222222', ...place }]);
});

it.each(['{', '[]'])('refuses an agentcore.json that is %s', async (text) => {
  const folder = await folderWith({ 'agentcore/agentcore.json': text });
  await expect(planFiles(folder, agentcoreFiles(options))).rejects.toMatchObject({
    code: 'ART_INVALID_OPTION',
    message: expect.stringContaining('agentcore/agentcore.json') as string,
  });
});
