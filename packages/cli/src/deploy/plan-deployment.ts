import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, posix, relative, resolve, sep } from 'node:path';
import {
  agentcoreFiles,
  agentcorePaths,
  type AgentCoreProject,
  buildIn,
  planFiles,
  type PlannedFile,
  projectNameFrom,
  projectNameIn,
  runtimeNameFrom,
} from '@art/deploy';
import { refuseOption } from '@art/protocol';
import type { DeployOptions } from './deploy-options.ts';

/** What is to be written, and what is to be said of it. */
export interface Deployment {
  /** From the folder of the project, with `/` between folders. */
  agent: string;
  build: 'CodeZip' | 'Container';
  project: string;
  name: string;
  codeLocation: string;
  files: PlannedFile[];
  /** What its user has to see to. */
  notes: string[];
}

const builds = { codezip: 'CodeZip', container: 'Container' } as const;
const usual = ['agent.ts', 'src/agent.ts', 'main.ts'];

/**
 * Finds out what `art deploy` would write into a folder. Writes nothing.
 * @throws ArtError `ART_INVALID_OPTION`, `ART_INVALID_ARN`
 */
export async function planDeployment(
  options: DeployOptions,
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Deployment> {
  const agent = agentFile(options.agent, cwd);
  const manifest = join(cwd, 'package.json');
  if (!existsSync(manifest))
    refuseOption('agent', 'in a folder with a package.json', cwd, { advice: 'Run "npm init" there.' });
  const existing = await readFile(join(cwd, agentcorePaths.project), 'utf8').catch(() => undefined);
  const project =
    options.project ??
    (existing === undefined ? undefined : projectNameIn(existing)) ??
    projectNameFrom(await packageName(manifest, cwd));
  const name = options.name ?? runtimeNameFrom(agent);
  const before = existing === undefined ? undefined : buildIn(existing, name);
  const build = options.build === undefined ? (before ?? 'CodeZip') : builds[options.build];
  const { account, bucket, keyPrefix, agentRuntimeArn } = options;
  const region = options.region ?? (account === undefined ? undefined : env['AWS_REGION']);
  if (account !== undefined && region === undefined)
    refuseOption('--region', 'a region such as us-west-2 beside --account', region);
  const wanted = agentcoreFiles({
    agent,
    project,
    name,
    build,
    bucket,
    keyPrefix,
    account,
    region,
    agentRuntimeArn,
  });
  const files = await planFiles(cwd, wanted, { force: options.force });
  const document = files.find(({ path }) => path === agentcorePaths.project)!;
  const { runtimes } = JSON.parse(document.text) as AgentCoreProject;
  const entry = runtimes.find((runtime) => runtime.name === name)!;
  const notes: string[] = [];
  if (entry.build === 'Container' && !existsSync(join(cwd, 'package-lock.json')))
    notes.push('The Dockerfile wants a package-lock.json: run "npm install", or change its first stage.');
  const targets = files.find(({ path }) => path === agentcorePaths.targets)!;
  if ((JSON.parse(targets.text) as unknown[]).length === 0)
    notes.push(`No account is named: give --account and --region, or fill ${agentcorePaths.targets}.`);
  return { agent, build: entry.build, project, name, codeLocation: entry.codeLocation, files, notes };
}

function agentFile(given: string | undefined, cwd: string): string {
  const file = given ?? usual.find((path) => existsSync(join(cwd, path)));
  if (file === undefined)
    return refuseOption('agent', `a file such as ${usual.join(', ')}`, undefined, {
      advice: 'Name the file that starts the agent.',
    });
  if (!existsSync(resolve(cwd, file)))
    refuseOption('agent', 'an existing file', file, { advice: `There is none at ${resolve(cwd, file)}.` });
  return posix.normalize(relative(cwd, resolve(cwd, file)).split(sep).join('/'));
}

async function packageName(manifest: string, cwd: string): Promise<string> {
  const { name } = JSON.parse(await readFile(manifest, 'utf8')) as { name?: unknown };
  return typeof name === 'string' ? name : (cwd.split(sep).at(-1) ?? '');
}
