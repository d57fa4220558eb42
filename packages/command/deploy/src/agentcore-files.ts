import { posix } from 'node:path';
import {
  bucketNameExpected,
  isBucketName,
  isRegion,
  type JsonObject,
  partitionOfRegion,
  refuseOption,
  regionExpected,
} from '@art/ground';
import { parseAgentRuntimeArn } from '@art/protocol';
import { digestOf, keptOptions, writeDeploymentRecord } from './deployment-record.ts';
import { checkProjectName, checkRuntimeName } from './deployment-names.ts';
import { dockerfile, dockerignore, type LoadedFirst } from './dockerfile.ts';
import { agentPolicy, clientPolicy } from './policies.ts';

export interface AgentCoreOptions {
  /** The file that starts the agent, as seen from the project's folder: `agent.ts`, `src/agent.ts`. */
  agent: string;
  /** Name of the project on AWS: up to 23 letters and digits. */
  project: string;
  /** Name of the agent within it. @default `agent` */
  name?: string | undefined;
  /** `CodeZip`: one bundled file for AWS's Node 22. `Container`: an image by the Dockerfile. @default `CodeZip` */
  build?: 'CodeZip' | 'Container' | undefined;
  /** Module that is loaded before the agent. @default nothing */
  loadedFirst?: LoadedFirst | undefined;
  /** Where the agent puts its results. @default none: results come back from the sessions, and need no right */
  bucket?: string | undefined;
  /** The folder of all results: the experiment's id, or `math-*` for all whose id begins so. @default the whole bucket */
  keyPrefix?: string | undefined;
  /** Folder of the session where the bucket is mounted: the agent's policy then has the rights of a mount. @default none */
  resultsMount?: string | undefined;
  /** Account to deploy to. @default none is named; AWS's CLI asks for one */
  account?: string | undefined;
  region?: string | undefined;
  /** ARN of an agent that is deployed already: the client's policy then names it and no other. */
  agentRuntimeArn?: string | undefined;
  /** Result of `runtimeSettings`. @default none */
  settings?: JsonObject | undefined;
}

/** An entry in the `runtimes` of `agentcore.json`. */
export interface RuntimeEntry {
  name: string;
  build: 'CodeZip' | 'Container';
  entrypoint: string;
  codeLocation: string;
  runtimeVersion: string;
  networkMode: string;
  protocol: string;
  dockerfile?: string;
  additionalPolicies?: string[];
}

/** `agentcore.json`, as far as it is ours. */
export interface AgentCoreProject {
  $schema: string;
  name: string;
  version: number;
  managedBy: string;
  runtimes: RuntimeEntry[];
}

/** Where each file stands that more than one place names. */
export const agentcorePaths = {
  project: 'agentcore/agentcore.json',
  targets: 'agentcore/aws-targets.json',
  agentPolicy: 'agentcore/policies/agent.json',
  clientPolicy: 'agentcore/policies/client.json',
  settings: 'agentcore/runtime-settings.json',
  ignore: 'agentcore/.gitignore',
  record: 'agentcore/art.json',
} as const;

/** Secrets and what AWS's CLI builds. What it keeps of deployments is committed, as its own projects do. */
const ignored = `.env.local
.cache/
.cli/*
!.cli/deployed-state.json
cdk/cdk.out/
cdk/node_modules/
*.zip
*/staging/
`;

/**
 * The files that AWS's CLI (npm `@aws/agentcore`, tried with 0.30.0) deploys an agent from, and the rights around it.
 * @returns the text of each file by its path from the project's folder, with `/` between folders
 * @throws ArtError `ART_INVALID_OPTION`, `ART_INVALID_ARN`
 */
export function agentcoreFiles(options: AgentCoreOptions): Record<string, string> {
  const { agent, project, name = 'agent', bucket, keyPrefix, account, region, agentRuntimeArn } = options;
  check(options);
  const entry = runtimeEntry(options);
  const place =
    bucket === undefined ? undefined : { bucket, keyPrefix, partition: partitionOfRegion(region).name };
  const document: AgentCoreProject = {
    $schema: 'https://schema.agentcore.aws.dev/v1/agentcore.json',
    name: project,
    version: 1,
    managedBy: 'CDK',
    runtimes: [entry],
  };
  const targets = account === undefined || region === undefined ? [] : [{ name: 'default', account, region }];
  const client = clientPolicy({ agentRuntimeArn, name: `${project}_${name}`, region, account }, place);
  const files: Record<string, string> = {
    [agentcorePaths.project]: json(document),
    [agentcorePaths.targets]: json(targets),
    ...(place !== undefined && {
      [agentcorePaths.agentPolicy]: json(
        agentPolicy({ ...place, isMounted: options.resultsMount !== undefined }),
      ),
    }),
    [agentcorePaths.clientPolicy]: json(client),
    ...(options.settings !== undefined && { [agentcorePaths.settings]: json(options.settings) }),
    [agentcorePaths.ignore]: ignored,
  };
  if (entry.build === 'Container') {
    files['Dockerfile'] = dockerfile(
      agent,
      options.loadedFirst ?? { usesTsx: false, snapshotSafe: undefined },
    );
    files['.dockerignore'] = dockerignore(agent);
  } else if (posix.basename(agent) !== 'main.ts') {
    files[posix.join(entry.codeLocation, 'main.ts')] = mainFile(
      entry.codeLocation,
      agent,
      options.loadedFirst?.snapshotSafe,
    );
  }
  files[agentcorePaths.record] = writeDeploymentRecord({
    options: keptOptions(options),
    files: Object.fromEntries(
      Object.entries(files).flatMap(([path, text]) => (isMerged(path) ? [] : [[path, digestOf(text)]])),
    ),
    runtimes: { [name]: entry },
  });
  return files;
}

/** True if a file belongs to its owner, who has more in it than what is ours. */
export function isMerged(path: string): boolean {
  return [agentcorePaths.project, agentcorePaths.targets, agentcorePaths.settings].some(
    (one) => one === path,
  );
}

/** Entry of `agentcore.json` for one agent. */
function runtimeEntry(options: AgentCoreOptions): RuntimeEntry {
  const { agent, name = 'agent', build = 'CodeZip', bucket } = options;
  const isMain = posix.basename(agent) === 'main.ts';
  // AWS's bundler takes `main.ts` of this folder, whatever the entry point says.
  const codeLocation = build === 'Container' ? './' : isMain ? `./${folderOf(agent)}` : `app/${name}/`;
  return {
    name,
    build,
    // What it makes is `main.js`, which AgentCore is then told to start.
    entrypoint: build === 'Container' ? agent : 'main.js',
    codeLocation,
    runtimeVersion: 'NODE_22',
    networkMode: 'PUBLIC',
    protocol: 'HTTP',
    ...(build === 'Container' && { dockerfile: 'Dockerfile' }),
    ...(bucket !== undefined && {
      additionalPolicies: [posix.relative(codeLocation, agentcorePaths.agentPolicy)],
    }),
  };
}

function mainFile(codeLocation: string, agent: string, snapshotSafe: string | undefined): string {
  const first = snapshotSafe === undefined ? '' : `import '${snapshotSafe}';\n`;
  return `// AWS's bundler begins at a file of this name.\n${first}import '${posix.relative(codeLocation, agent)}';\n`;
}

function folderOf(path: string): string {
  const folder = posix.dirname(posix.normalize(path));
  return folder === '.' ? '' : `${folder}/`;
}

function check({
  agent,
  project,
  name = 'agent',
  bucket,
  account,
  region,
  agentRuntimeArn,
}: AgentCoreOptions): void {
  const expected = 'a .ts or .js file below the folder of the project, such as agent.ts';
  if (!/^[A-Za-z0-9_][A-Za-z0-9_/.-]*\.(ts|js)$/.test(agent) || agent.split('/').includes('..'))
    refuseOption('agent', expected, agent);
  checkProjectName(project);
  checkRuntimeName(name, project);
  if (bucket !== undefined && !isBucketName(bucket)) refuseOption('bucket', bucketNameExpected, bucket);
  if (account !== undefined && !/^\d{12}$/.test(account)) refuseOption('account', '12 digits', account);
  if (region !== undefined && !isRegion(region)) refuseOption('region', regionExpected, region);
  if (agentRuntimeArn !== undefined) parseAgentRuntimeArn(agentRuntimeArn);
}

const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;
