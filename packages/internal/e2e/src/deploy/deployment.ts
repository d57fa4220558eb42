/**
 * Checks what `art deploy` writes, against AWS's own command line and by the steps of its Dockerfile: a plain agent with packed packages,
 * in folders outside of this workspace. Nothing is deployed, and no account is needed. Two minutes, most of them to build. AWS's command is
 * the published one, but for the library that deploys, which is large. It is called by `art deploy --run` until it wants an account:
 * `create`, `validate` and `package` pass, `deploy` finds no credentials. No image is built: the RUN of the Dockerfile is run in an empty
 * folder, what it copies is copied, and its CMD is started.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { agentcoreFiles } from '@art/deploy';
import { agentChecks, type AgentCheck, bundleChecks, checkAgent } from '@art/doctor';
import { packageOf, workspaceRoot } from '../workspace-packages.ts';

const cliVersion = '0.30.0';
/** The bundler that this version has been built with: it takes its own binary alone. */
const esbuildVersion = '0.28.1';
/** Packages of this workspace that an agent installs. */
const packed = ['agent', 'ground', 'protocol', 'reward', 'server', 'store', 'store-s3'];

const root = mkdtempSync(join(tmpdir(), 'art-deployment-'));
const folders = { tarballs: join(root, 'tarballs'), project: join(root, 'project'), aws: join(root, 'aws') };
for (const folder of Object.values(folders)) mkdirSync(folder);
// AWS's command keeps settings in the home folder, and looks for the project where the package manager was called.
const env: NodeJS.ProcessEnv = { ...process.env, HOME: root };
for (const name of Object.keys(env))
  if (/^(INIT_CWD|NODE_OPTIONS|NODE_PATH|AWS_.*)$/.test(name)) delete env[name];

try {
  console.log('builds and packs the packages of an agent');
  const pnpm = join(workspaceRoot, 'node_modules/.bin/pnpm');
  const turbo = join(workspaceRoot, 'node_modules/.bin/turbo');
  const built = ['--filter=@art/cli...', '--filter=@art/agent...', '--output-logs=errors-only'];
  run(turbo, ['run', 'build', ...built], workspaceRoot);
  for (const name of packed)
    run(pnpm, ['pack', '--pack-destination', folders.tarballs], join(workspaceRoot, packageOf(name).path));

  console.log('installs the plain agent from them');
  const tarballs = globSync('*.tgz', { cwd: folders.tarballs }).map((file) => `./tarballs/${file}`);
  cpSync(folders.tarballs, join(folders.project, 'tarballs'), { recursive: true });
  const agent = join(workspaceRoot, 'packages/laptop/doctor/src/test-agents/good-agent.fixture.ts');
  write('agent.ts', readFileSync(agent, 'utf8'));
  write('package.json', '{"name":"plain-agent","private":true,"type":"module"}');
  run(
    'npm',
    ['install', '--no-audit', '--no-fund', '--prefer-offline', ...tarballs, 'typebox@1'],
    folders.project,
  );

  console.log('container: the steps of the Dockerfile, by hand');
  const files = agentcoreFiles({ agent: 'agent.ts', project: 'plainAgent', build: 'Container' });
  for (const path of ['Dockerfile', '.dockerignore']) write(path, files[path]!);
  await check('the container', await containerCommand(), agentChecks);

  console.log(`code: @aws/agentcore ${cliVersion} on what art deploy wrote`);
  installAwsCommand();
  const target = ['--account', '123456789012', '--region', 'us-west-2'];
  const told = art('deploy', 'agent.ts', '--bucket', 'my-results', ...target, '--run');
  const steps = [/\$ agentcore create .*\$ agentcore validate\nValid/s, /\$ agentcore package\n/];
  for (const step of [...steps, /\$ agentcore deploy -y\n.*No AWS credentials configured/s])
    if (!step.test(told)) throw new Error(`Expected ${step} in what was told.`);
  const cwd = folders.project;
  const bundle = join(cwd, 'agentcore/agent/staging/main.js');
  console.log(`its bundle has ${(statSync(bundle).size / 1e6).toFixed(2)} MB`);
  await check("AWS's bundle", { command: [process.execPath, bundle], cwd, bundle }, [
    ...bundleChecks,
    ...agentChecks,
  ]);
  console.log('all is well');
} finally {
  rmSync(root, { recursive: true, force: true });
}

/** Command that the image would start, in a folder that has what the image would have. */
async function containerCommand(): Promise<{ command: string[]; cwd: string }> {
  const dockerfile = readFileSync(join(folders.project, 'Dockerfile'), 'utf8');
  const stages = dockerfile.split(/^FROM .*\n/m).slice(1);
  const [packages, image] = [join(root, 'packages'), join(root, 'image')];
  for (const folder of [packages, image]) mkdirSync(folder);
  // The tarballs stand for a registry.
  for (const path of ['package.json', 'package-lock.json', 'tarballs'])
    cpSync(join(folders.project, path), join(packages, path), { recursive: true });
  run('/bin/sh', ['-c', only(stages[0]!, 'RUN')], packages);
  const ignored = readFileSync(join(folders.project, '.dockerignore'), 'utf8').split('\n');
  cpSync(folders.project, image, {
    recursive: true,
    filter: (path) => path === folders.project || !ignored.includes(basename(path)),
  });
  cpSync(join(packages, 'node_modules'), join(image, 'node_modules'), { recursive: true });
  const [program, ...words] = JSON.parse(only(stages.at(-1)!, 'CMD')) as string[];
  if (program !== 'node') throw new Error(`Expected the image to start node, got ${program}.`);
  return { command: [process.execPath, ...words], cwd: image };
}

/** Argument of the one instruction of this name in a stage. */
function only(stage: string, word: string): string {
  return new RegExp(`^${word} (.*)$`, 'm').exec(stage)![1]!;
}

/** AWS's command in the project, with a stand-in for what only a deployment uses. */
function installAwsCommand(): void {
  run('npm', ['pack', `@aws/agentcore@${cliVersion}`], folders.aws);
  run('tar', ['xzf', globSync('*.tgz', { cwd: folders.aws })[0]!], folders.aws);
  const install = ['install', '--no-audit', '--no-fund', '--prefix', folders.aws];
  run('npm', [...install, `esbuild@${esbuildVersion}`], folders.aws);
  const stub = join(folders.aws, 'node_modules/@aws-cdk/toolkit-lib');
  mkdirSync(stub, { recursive: true });
  writeFileSync(join(stub, 'package.json'), '{"type":"module","main":"index.js"}');
  const names = ['BaseCredentials', 'BootstrapEnvironments', 'BootstrapStackParameters', 'Toolkit'];
  const classes = names.map((name) => `export class ${name} {}`).join('\n');
  writeFileSync(join(stub, 'index.js'), `${classes}\nexport const StackSelectionStrategy = {};\n`);
  const [esbuild] = globSync('node_modules/@esbuild/*/bin/esbuild', { cwd: folders.aws });
  const main = join(folders.aws, 'package/dist/cli/index.mjs');
  const command = join(folders.project, 'node_modules/.bin/agentcore');
  writeFileSync(
    command,
    `#!/bin/sh\nESBUILD_BINARY_PATH='${join(folders.aws, esbuild!)}' exec '${process.execPath}' '${main}' "$@"\n`,
  );
  chmodSync(command, 0o755);
  run(command, ['config', 'telemetry.enabled', 'false'], folders.project);
}

/** The command as it was built. AWS's own is called until it wants an account. */
function art(...args: string[]): string {
  console.log(`$ art ${args.join(' ')}`);
  const main = join(workspaceRoot, 'packages/command/cli/dist/main.js');
  const { stdout, stderr, status } = spawnSync(process.execPath, [main, ...args], {
    cwd: folders.project,
    env,
    encoding: 'utf8',
  });
  console.log(stdout + stderr);
  if (status !== 0 && !(status === 3 && args.includes('--run'))) throw new Error(`It ended with ${status}.`);
  return stdout;
}

async function check(
  what: string,
  agent: { command: string[]; cwd: string; bundle?: string },
  checks: readonly AgentCheck[],
): Promise<void> {
  const payload = { prompt: 'What is 6 times 7?', answer: '42' };
  const wrong: string[] = [];
  const findings = await checkAgent({ agent, payload, checks, env: { ...env, NODE_ENV: 'production' } });
  for (const { id, verdict, seen } of findings) {
    // How long a start takes is a matter of what else this machine does.
    const isOfTime = id === 'start.fast' || id === 'bundle.start';
    if (verdict === 'fault' || (verdict === 'warning' && !isOfTime)) wrong.push(`${id}: ${seen}`);
    if (/^(start\.answers|bundle\.start)$/.test(id)) console.log(`${what}: ${id} ${seen}`);
  }
  if (wrong.length > 0) throw new Error(`The doctor has something against ${what}:\n${wrong.join('\n')}`);
}

function write(path: string, text: string): void {
  writeFileSync(join(folders.project, path), text);
}

function run(command: string, args: string[], cwd: string): void {
  try {
    execFileSync(command, args, { cwd, env, stdio: 'pipe' });
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: Buffer; stderr?: Buffer };
    throw new Error(`${basename(command)} ${args.join(' ')} failed:\n${String(stdout)}${String(stderr)}`, {
      cause: error,
    });
  }
}
