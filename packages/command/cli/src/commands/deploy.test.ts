import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { type CapturedContext, capturedContext } from '../captured-context.fixture.ts';
import { localControlPlane } from '../deploy/local-control-plane.fixture.ts';
import { exitCodes } from '../exit-codes.ts';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { type DeployOptions, runDeploy } from './deploy.ts';

/** Answers pings, on the port that it is given, and takes no request. */
const serving = `import { createServer } from 'node:http';
createServer((request, response) => {
  if (request.url !== '/ping') response.statusCode = 404;
  response.end('{"status":"Healthy"}');
}).listen(process.env.PORT);
process.on('SIGTERM', () => process.exit(0));
`;
const plain: DeployOptions = { force: false, dryRun: false, run: false, json: false, payload: '{}' };

async function projectWith(files: Record<string, string>): Promise<string> {
  const cwd = await temporaryFolder();
  const all = { 'package.json': '{"name":"math-agent","type":"module"}', 'agent.ts': serving, ...files };
  for (const [path, text] of Object.entries(all)) {
    await mkdir(dirname(join(cwd, path)), { recursive: true });
    await writeFile(join(cwd, path), text);
  }
  return cwd;
}

async function deployed(
  cwd: string,
  options: Partial<DeployOptions> = {},
  env: CapturedContext['env'] = process.env,
): Promise<{ code: number; output: string }> {
  const context = capturedContext({ cwd, env });
  const code = await runDeploy({ ...plain, ...options }, context);
  return { code, output: context.output() };
}

it('prints the plan and writes nothing with --dry-run', async () => {
  const cwd = await projectWith({});
  const { code, output } = await deployed(cwd, { dryRun: true });
  expect(code).toBe(exitCodes.ok);
  expect(output).toMatch(/^agent\.ts as mathAgent_agent on AgentCore/);
  expect(output).toMatch(/create +agentcore\/agentcore\.json/);
  expect(output).toContain('$ agentcore deploy -y');
  expect((await readdir(cwd)).toSorted()).toEqual(['agent.ts', 'package.json']);
});

it('shows the mount of the bucket, and refuses what cannot be mounted before anything is written', async () => {
  const cwd = await projectWith({});
  const mount = { bucket: 'my-results', keyPrefix: 'math', resultsMount: '/mnt/results' };
  const { output } = await deployed(cwd, { ...mount, dryRun: true });
  expect(output).toContain(
    'set       filesystemConfigurations [{"s3BucketMount":{"bucket":"my-results","mountPath":"/mnt/results","prefix":"math/"}}]',
  );
  for (const wrong of [{ keyPrefix: 'math-*' }, { resultsMount: '/data' }, { bucket: undefined }])
    await expect(deployed(cwd, { ...mount, ...wrong })).rejects.toMatchObject({ code: 'ART_INVALID_OPTION' });
  expect((await readdir(cwd)).toSorted()).toEqual(['agent.ts', 'package.json']);
});

it('writes the files when the bundle has started, says its size and time, and continues where it is called again', async () => {
  const cwd = await projectWith({});
  const first = await deployed(cwd, { bucket: 'my-results' });
  expect(first).toMatchObject({
    code: exitCodes.ok,
    output: expect.stringMatching(
      /ok +starts alone.*The bundle has \d\.\d\d MB\. It answered its first ping after \d+ ms\.\n/s,
    ) as string,
  });
  expect(await readFile(join(cwd, 'app/agent/main.ts'), 'utf8')).toContain("import '../../agent.ts'");
  expect(await readFile(join(cwd, 'agentcore/policies/agent.json'), 'utf8')).toContain('s3:PutObject');
  const second = await deployed(cwd, { bucket: 'my-results', json: true });
  const [plan] = second.output.split('\n').map((line) => (line === '' ? {} : (JSON.parse(line) as object)));
  expect(plan).toMatchObject({ event: 'plan', project: 'mathAgent', files: expect.any(Array) as unknown });
  expect(new Set((plan as { files: { action: string }[] }).files.map(({ action }) => action))).toEqual(
    new Set(['same']),
  );
});

it('warns of a request that the agent does not take, and of rights that a changed policy lacks', async () => {
  const cwd = await projectWith({
    'agentcore/policies/client.json': '{"Version":"2012-10-17","Statement":[]}',
  });
  const { code, output } = await deployed(cwd, { bucket: 'my-results' });
  expect(code).toBe(exitCodes.ok);
  expect(output).toMatch(/WARNING +answers a rollout.*\n +seen +It does not take this request\./);
  const [, after = ''] = output.split('The folder is prepared.');
  expect(after).toContain('client.json lacks s3:GetObject on arn:aws:s3:::my-results/*.\n');
  expect(after).toContain('--force replaces the file');
  expect((await deployed(cwd, { force: true })).output).not.toContain('lacks');
});

it('tells what a Dockerfile of somebody does wrong, and writes nothing where no image can come of it', async () => {
  const image = 'FROM --platform=linux/amd64 node:22\nCOPY agent.ts .\nUSER node\nCMD node agent.ts\n';
  const cwd = await projectWith({ Dockerfile: image });
  const { code, output } = await deployed(cwd, { build: 'container' });
  expect(code).toBe(exitCodes.faultsFound);
  expect(output).toMatch(/FAULT +ends in an image for ARM64/);
  expect(output).toMatch(/WARNING +starts Node itself/);
  expect(await readdir(cwd)).not.toContain('agentcore');
});

it.each([
  ['a top-level await', `${serving}await Promise.resolve();\n`, /agent\.ts:7:1: Top-level await/],
  ['a native add-on', `import './fast.node';\n${serving}`, /agent\.ts:1:8: No loader.*fast\.node/],
  [
    'a package that the bundler does not see',
    `import { createRequire } from 'node:module';\ncreateRequire(import.meta.url)('not-in-the-bundle');\n${serving}`,
    /It looks for not-in-the-bundle.*did not see/,
  ],
  ['a mistake when it starts', 'throw new Error("no such model");', /no such model/],
])('refuses %s before anything is written', async (_what, source, message) => {
  const beside = { 'beside/not-in-the-bundle/index.js': '', 'fast.node': '' };
  const cwd = await projectWith({ ...beside, 'agent.ts': source });
  const { code, output } = await deployed(cwd, {}, { ...process.env, NODE_PATH: join(cwd, 'beside') });
  expect(code).toBe(exitCodes.faultsFound);
  expect(output).toMatch(message);
  expect(await readdir(cwd)).not.toContain('agentcore');
});

it.each([
  [
    'a variable of agentcore.json',
    { name: 'PORT', value: '3000' },
    /FAULT +listens where AgentCore calls it[\s\S]*PORT=3000/,
  ],
  ['its own address', { name: 'ART_HOST', value: '127.0.0.1' }, /FAULT +listens where[\s\S]*ART_HOST=127/],
])('refuses a port that AgentCore does not call, by %s', async (_what, variable, message) => {
  const runtimes = [{ name: 'agent', build: 'CodeZip', envVars: [variable] }];
  const cwd = await projectWith({
    'agentcore/agentcore.json': JSON.stringify({ name: 'mathAgent', version: 1, runtimes }),
  });
  const { code, output } = await deployed(cwd);
  expect(code).toBe(exitCodes.faultsFound);
  expect(output).toMatch(message);
  expect(await readdir(join(cwd, 'agentcore'))).toEqual(['agentcore.json']);
  if (variable.name === 'PORT')
    expect(await deployed(cwd, { port: 9_000 })).toMatchObject({ code: exitCodes.ok });
});

it('starts the agent of a container as its Dockerfile does, and says what that wants', async () => {
  const cwd = await projectWith({
    'agent.ts': `if (process.env.NODE_ENV !== 'production') process.exit(3);\n${serving}`,
  });
  const { code, output } = await deployed(cwd, { build: 'container' });
  expect(output).toContain('wants a package-lock.json');
  expect(output).toMatch(/ok +starts and answers a ping/);
  expect(code).toBe(exitCodes.ok);
  expect(await readFile(join(cwd, 'Dockerfile'), 'utf8')).toContain('CMD ["node", "agent.ts"]');
  // Once it is a container it stays one, until somebody says otherwise.
  const again = await deployed(cwd, { dryRun: true });
  expect(again.output).not.toMatch(/^ +(create|keep|add to) /m);
});

it('starts an agent of a container by tsx where that is among the packages, and else says that it may be', async () => {
  const named = { 'agent.ts': "import './serving.js';\n", 'serving.ts': serving };
  const without = await deployed(await projectWith(named), { build: 'container' });
  expect(without).toMatchObject({
    code: exitCodes.faultsFound,
    output: expect.stringContaining('npm install tsx'),
  });
  const cwd = await projectWith({
    ...named,
    'package.json': '{"name":"math","type":"module","dependencies":{"tsx":"4"}}',
    'node_modules/tsx/package.json': '{"type":"module","exports":"./index.js"}',
    'node_modules/tsx/index.js': `import { registerHooks } from 'node:module';
registerHooks({ resolve: (name, context, next) => next(name.replace('serving.js', 'serving.ts'), context) });
`,
  });
  expect(await deployed(cwd, { build: 'container' })).toMatchObject({ code: exitCodes.ok });
  expect(await readFile(join(cwd, 'Dockerfile'), 'utf8')).toContain(
    'CMD ["node", "--import", "tsx", "agent.ts"]',
  );
});

/** Stands for AWS's command: notes how it was called, makes what `create` makes, and fails where it is told to. */
async function fakeAgentcore(cwd: string): Promise<() => Promise<string[]>> {
  const path = join(cwd, 'node_modules/.bin/agentcore');
  const calls = join(cwd, 'calls.txt');
  await mkdir(dirname(path), { recursive: true });
  await writeFile(
    path,
    `#!/bin/sh
echo "$*" >> '${calls}'
[ "$1" = create ] && mkdir -p "$8/$3/agentcore/cdk" && echo '{}' > "$8/$3/agentcore/cdk/package.json"
[ "$1" != "$FAIL" ] || { echo "no $1 today" >&2; exit 7; }
[ "$1" != "$HANG" ] || exec sleep 60
`,
  );
  await chmod(path, 0o755);
  return async () => (await readFile(calls, 'utf8')).trimEnd().split('\n');
}

it("calls AWS's CLI with --run, after it has made the folder that deploy wants", async () => {
  const cwd = await projectWith({});
  const calls = await fakeAgentcore(cwd);
  const plane = await localControlPlane('mathAgent_agent', { status: 'READY', agentRuntimeVersion: '1' });
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) vi.stubEnv(name, 'x');
  onTestFinished(() => void vi.unstubAllEnvs());
  const place = { account: '123456789012', region: 'us-west-2' };
  const { code, output } = await deployed(cwd, { ...place, run: true }, { ...process.env, ...plane.env });
  // The version is named, and what follows from it.
  expect(output).toMatch(
    /Platform version V2: every session is restored from one snapshot.*--platform-version V1/,
  );
  expect(plane.requests.find(({ method }) => method === 'PUT')?.body).toMatchObject({
    platformVersion: 'V2',
  });
  expect(code).toBe(exitCodes.ok);
  expect(await calls()).toEqual([
    expect.stringMatching(/^create --project-name mathAgent --no-agent .*--output-dir \S+$/),
    'validate',
    'package',
    'deploy -y',
  ]);
  expect(await readFile(join(cwd, 'agentcore/cdk/package.json'), 'utf8')).toBe('{}\n');
  expect(output).toMatch(/\$ agentcore validate\n\$ agentcore package\n\$ agentcore deploy -y\n/);
});

it("sends settings that AWS's CLI does not know when that has deployed, and keeps them for the next time", async () => {
  const cwd = await projectWith({});
  await fakeAgentcore(cwd);
  const plane = await localControlPlane('mathAgent_agent', { status: 'READY', agentRuntimeVersion: '2' });
  const env = { ...process.env, ...plane.env, AWS_REGION: undefined };
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) vi.stubEnv(name, 'x');
  onTestFinished(() => void vi.unstubAllEnvs());
  const wanted = { run: true, platformVersion: 'V2', warmupPath: '/warmup' } as const;
  await expect(deployed(cwd, wanted, env)).rejects.toThrow(/--region/);
  expect(await readdir(cwd)).not.toContain('agentcore');
  const account = { account: '123456789012', region: 'us-west-2' };
  const { output } = await deployed(cwd, { ...wanted, ...account, json: true }, env);
  const settings = {
    platformVersion: 'V2',
    hooksConfiguration: { build: { warmup: { action: { httpPost: { path: '/warmup' } } } } },
  };
  expect(plane.requests.find(({ method }) => method === 'PUT')?.body).toMatchObject(settings);
  expect(JSON.parse(output.trimEnd().split('\n').at(-1)!)).toEqual({
    event: 'deployed',
    settingsOfVersion: '2',
  });
  const next = await deployed(cwd, { dryRun: true, minimumMemoryMib: 4_096 }, env);
  expect(next.output).toContain('set       platformVersion "V2"');
  expect(next.output).toContain('set       resourceConfigurations [{"minimumMemoryInMiB":4096}]');
  expect(next.output).toMatch(/add to +agentcore\/runtime-settings\.json/);
});

it('deploys nothing when an earlier call fails, and shows what it wrote', async () => {
  const cwd = await projectWith({});
  const calls = await fakeAgentcore(cwd);
  const context = capturedContext({ cwd, env: { ...process.env, AWS_REGION: 'us-west-2', FAIL: 'package' } });
  await expect(runDeploy({ ...plain, run: true }, context)).rejects.toMatchObject({
    code: 'ART_AGENTCORE_CLI',
    message: expect.stringMatching(/"agentcore package" to end with code 0, got 7/) as string,
  });
  expect(context.output()).toContain('no package today');
  expect((await calls()).at(-1)).toBe('package');
});

it('ends the call that runs at Ctrl-C', async () => {
  const cwd = await projectWith({});
  const calls = await fakeAgentcore(cwd);
  const context = capturedContext({
    cwd,
    env: { ...process.env, AWS_REGION: 'us-west-2', HANG: 'validate' },
  });
  const run = runDeploy({ ...plain, run: true }, context);
  await vi.waitFor(async () => expect(await calls()).toContain('validate'));
  context.signals.emit('SIGINT', 'SIGINT');
  expect(await run).toBe(exitCodes.interrupted);
  expect(await calls()).not.toContain('package');
});

it("prepares everything also where AWS's CLI is not there, and says how to get it", async () => {
  const cwd = await projectWith({});
  await expect(deployed(cwd, { run: true }, { AWS_REGION: 'us-west-2' })).rejects.toMatchObject({
    code: 'ART_AGENTCORE_CLI',
    message: expect.stringContaining('npm install --save-dev @aws/agentcore') as string,
  });
  expect(await readdir(cwd)).toContain('agentcore');
});

it.each([
  [{ agent: 'other.ts' }, /`agent` to be an existing file/],
  [{ account: '123456789012' }, /`--region`/],
  [{ project: 'math-agent' }, /`project`/],
])('refuses %o before anything is started', async (wrong, message) => {
  const cwd = await projectWith({});
  await expect(deployed(cwd, wrong, {})).rejects.toMatchObject({
    code: 'ART_INVALID_OPTION',
    message: expect.stringMatching(message) as string,
  });
});
