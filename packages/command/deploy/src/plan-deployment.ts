import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, posix, relative, resolve, sep } from 'node:path';
import { isJsonObject, type JsonObject, refuseOption } from '@art/ground';
import {
  agentcoreFiles,
  type AgentCoreOptions,
  agentcorePaths,
  type AgentCoreProject,
} from './agentcore-files.ts';
import { projectNameFrom, runtimeNameFrom } from './deployment-names.ts';
import { keptOptions, readRecord } from './deployment-record.ts';
import { type LoadedFirst, nodeWords } from './dockerfile.ts';
import { buildIn, projectNameIn } from './merge-project.ts';
import { missingRights } from './missing-rights.ts';
import { planFiles, type PlannedFile } from './plan-files.ts';
import { runtimeSettingNames, runtimeSettings, type RuntimeSettingsOptions } from './runtime-settings.ts';

/** Options of a deployment; those that are left out are as the folder has them. */
export interface DeploymentOptions
  extends Omit<AgentCoreOptions, 'agent' | 'project' | 'loadedFirst' | 'settings'>, RuntimeSettingsOptions {
  /** @default the first of `agent.ts`, `src/agent.ts`, `main.ts`, `src/index.ts` that there is */
  agent?: string | undefined;
  /** @default that of `agentcore.json`, else after the package */
  project?: string | undefined;
  /** True if files that somebody changed are replaced. @default false */
  force?: boolean | undefined;
}

/** Files to be written, and what to say of them. */
export interface Deployment {
  /** From the folder of the project, with `/` between folders. */
  agent: string;
  build: 'CodeZip' | 'Container';
  /** Arguments of Node that start it where it is not bundled. */
  nodeWords: string[];
  project: string;
  name: string;
  codeLocation: string;
  files: PlannedFile[];
  /** Region of AWS, where one is named. */
  region: string | undefined;
  /** Members of `UpdateAgentRuntime`, which AWS's CLI does not set. */
  settings: JsonObject;
  /** Things that its user has to see to. */
  notes: string[];
  /** Where AgentCore calls the agent, and what it finds in its environment, as far as the files say. */
  address: { port: number; variables: Record<string, string> };
  /** Rights that a kept file does not give, though they are needed. */
  missingRights: string[];
}

const usual = ['agent.ts', 'src/agent.ts', 'main.ts', 'src/index.ts'];

/**
 * Finds out what is to be written into the folder of a project. Writes nothing.
 * @throws ArtError `ART_INVALID_OPTION`, `ART_INVALID_ARN`
 */
export async function planDeployment(
  { force, ...options }: DeploymentOptions,
  cwd: string,
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
  const build = options.build ?? before ?? 'CodeZip';
  const loadedFirst = await readLoadedFirst(manifest);
  const earlier = await readFile(join(cwd, agentcorePaths.settings), 'utf8').catch(() => undefined);
  const record = readRecord(await readFile(join(cwd, agentcorePaths.record), 'utf8').catch(() => undefined));
  const lasting = { ...options, ...keptOptions({ ...record.options, ...keptOptions(options) }) };
  const settings = runtimeSettings(settingsIn(lasting), earlier, lasting);
  const wanted = agentcoreFiles({
    ...lasting,
    agent,
    project,
    name,
    build,
    loadedFirst,
    settings,
  });
  const files = await planFiles(cwd, wanted, { force: force ?? false });
  const document = files.find(({ path }) => path === agentcorePaths.project)!;
  const { runtimes } = JSON.parse(document.text) as AgentCoreProject;
  const entry = runtimes.find((runtime) => runtime.name === name)!;
  const notes: string[] = [
    settings['platformVersion'] === 'V2'
      ? 'Platform version V2: every session is restored from one snapshot of the process. "art doctor" shows what sessions would share; --platform-version V1 starts each by itself.'
      : `Platform version ${JSON.stringify(settings['platformVersion'])}: every session starts a process by itself.`,
  ];
  if (entry.build === 'Container' && !existsSync(join(cwd, 'package-lock.json')))
    notes.push('The Dockerfile wants a package-lock.json: run "npm install", or change its first stage.');
  const targets = files.find(({ path }) => path === agentcorePaths.targets)!;
  const accounts = JSON.parse(targets.text) as { region?: string }[];
  if (accounts.length === 0)
    notes.push(`No account is named: give --account and --region, or fill ${agentcorePaths.targets}.`);
  const lacking = files
    .filter(({ path, action }) => action === 'keep' && path.startsWith('agentcore/policies/'))
    .flatMap(({ path, text }) =>
      missingRights(text, wanted[path]!).map((right) => `${path} lacks ${right}.`),
    );
  return {
    agent,
    build: entry.build,
    nodeWords: nodeWords(agent, loadedFirst),
    project,
    name,
    codeLocation: entry.codeLocation,
    files,
    region: accounts[0]?.region,
    settings,
    notes,
    address: addressOf(entry, settings),
    missingRights: lacking,
  };
}

/** AWS's CLI sends `envVars`; the settings that are sent after it win. */
function addressOf(entry: object, settings: JsonObject): Deployment['address'] {
  const { envVars } = entry as { envVars?: unknown };
  const { protocolConfiguration, environmentVariables } = settings;
  const port = isJsonObject(protocolConfiguration) ? Number(protocolConfiguration['port'] ?? 8_080) : 8_080;
  const listed = (Array.isArray(envVars) ? (envVars as unknown[]) : [])
    .filter(isJsonObject)
    .map(({ name, value }) => [String(name), String(value)]);
  const sent = Object.entries(isJsonObject(environmentVariables) ? environmentVariables : {});
  return {
    port,
    variables: Object.fromEntries([
      ...listed,
      ...sent.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
    ]) as Record<string, string>,
  };
}

function settingsIn(options: RuntimeSettingsOptions): RuntimeSettingsOptions {
  return Object.fromEntries(runtimeSettingNames.map((name) => [name, options[name]]));
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

/** Tsx is among the dependencies of AWS's own templates. Under `devDependencies` nothing would be in the image. */
async function readLoadedFirst(manifest: string): Promise<LoadedFirst> {
  const { dependencies = {} } = JSON.parse(await readFile(manifest, 'utf8')) as { dependencies?: object };
  const safe = ['@art/agent', '@art/server'].find((name) => name in dependencies);
  return {
    usesTsx: 'tsx' in dependencies,
    snapshotSafe: safe === undefined ? undefined : `${safe}/snapshot-safe`,
  };
}

async function packageName(manifest: string, cwd: string): Promise<string> {
  const { name } = JSON.parse(await readFile(manifest, 'utf8')) as { name?: unknown };
  return typeof name === 'string' ? name : (cwd.split(sep).at(-1) ?? '');
}
