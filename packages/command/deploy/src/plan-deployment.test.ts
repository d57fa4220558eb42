import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type DeploymentOptions, planDeployment } from './plan-deployment.ts';
import { writePlannedFiles } from './plan-files.ts';

async function emptyProject(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'art-deploy-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'package.json'), '{"name":"math-agent"}');
  await writeFile(join(folder, 'agent.ts'), '');
  return folder;
}

async function deploy(folder: string, options: DeploymentOptions = {}) {
  const deployment = await planDeployment(options, folder);
  await writePlannedFiles(folder, deployment.files);
  return deployment;
}

const client = 'agentcore/policies/client.json';

it('keeps the rights of an earlier call where nothing else is said', async () => {
  const folder = await emptyProject();
  await deploy(folder, { bucket: 'my-results', keyPrefix: 'math' });
  const first = await readFile(join(folder, client), 'utf8');
  const again = await deploy(folder);
  expect(new Set(again.files.map(({ action }) => action))).toEqual(new Set(['same']));
  await deploy(folder, {
    agentRuntimeArn: 'arn:aws:bedrock-agentcore:us-west-2:123456789012:runtime/mathAgent_agent-abc123',
  });
  const last = await readFile(join(folder, client), 'utf8');
  expect(last).toContain('mathAgent_agent-abc123');
  expect(last).toContain('my-results/math/*');
  expect(first).not.toContain('abc123');
});

it.each(['@art/agent', '@art/server'])(
  'makes draws safe before the agent is loaded where it depends on %s, and names no module that is not there',
  async (name) => {
    const folder = await emptyProject();
    const started = async (build: 'CodeZip' | 'Container'): Promise<string> => {
      const { files } = await planDeployment({ build }, folder);
      const path = build === 'Container' ? 'Dockerfile' : 'app/agent/main.ts';
      return files.find((file) => file.path === path)!.text;
    };
    expect(await started('Container')).toContain('CMD ["node", "agent.ts"]');
    expect(await started('CodeZip')).not.toContain('snapshot-safe');
    await writeFile(join(folder, 'package.json'), `{"dependencies":{"${name}":"1","tsx":"4"}}`);
    const modules = `"--import", "${name}/snapshot-safe", "--import", "tsx"`;
    expect(await started('Container')).toContain(`CMD ["node", ${modules}, "agent.ts"]`);
    expect(await started('CodeZip')).toMatch(
      new RegExp(`import '${name}/snapshot-safe';\nimport '../../agent.ts';\n$`),
    );
  },
);

it('gives the agent the rights of a mount, and keeps it where nothing else is said', async () => {
  const folder = await emptyProject();
  await deploy(folder, { bucket: 'my-results', keyPrefix: 'math', resultsMount: '/mnt/results' });
  const policy = await readFile(join(folder, 'agentcore/policies/agent.json'), 'utf8');
  expect(JSON.parse(policy)).toMatchObject({
    Statement: [
      {
        Action: ['s3:GetObject', 's3:PutObject', 's3:AbortMultipartUpload'],
        Resource: 'arn:aws:s3:::my-results/math/*',
      },
      {
        Action: 's3:ListBucket',
        Resource: 'arn:aws:s3:::my-results',
        Condition: { StringLike: { 's3:prefix': 'math/*' } },
      },
    ],
  });
  const again = await deploy(folder);
  expect(new Set(again.files.map(({ action }) => action))).toEqual(new Set(['same']));
  const { settings } = await deploy(folder, { bucket: 'others' });
  expect(settings).toMatchObject({
    environmentVariables: { ART_RESULT_STORE: 'mount:///mnt/results?bucket=others&prefix=math/' },
  });
});

it('says which rights a policy lacks that somebody has written', async () => {
  const folder = await emptyProject();
  await deploy(folder);
  const allow = (Action: unknown, Resource: unknown, Effect = 'Allow'): object => ({
    Effect,
    Action,
    Resource,
  });
  const call = allow('bedrock-agentcore:*', '*');
  const cases: [object[], string[]][] = [
    [[call], ['s3:GetObject on arn:aws:s3:::my-results/*', 's3:ListBucket on arn:aws:s3:::my-results']],
    [[call, allow(['S3:get*', 's3:List*'], ['arn:aws:s3:::my-results', 'arn:aws:s3:::my-*/*'])], []],
    [[allow('*', '*'), allow('s3:GetObject', '*', 'Deny')], ['s3:GetObject on arn:aws:s3:::my-results/*']],
    [
      [call, allow('s3:ListBucket', '*'), { ...allow('s3:GetObject', '*'), Condition: { Bool: {} } }],
      ['s3:GetObject on arn:aws:s3:::my-results/*'],
    ],
  ];
  for (const [statements, lacking] of cases) {
    await writeFile(join(folder, client), JSON.stringify({ Statement: statements }));
    const { missingRights, files } = await planDeployment({ bucket: 'my-results' }, folder);
    expect(files.find(({ path }) => path === client)).toMatchObject({ action: 'keep' });
    expect(missingRights).toEqual(lacking.map((right) => `${client} lacks ${right}.`));
  }
  await writeFile(join(folder, client), 'no JSON');
  expect((await planDeployment({}, folder)).missingRights).toHaveLength(4);
});
