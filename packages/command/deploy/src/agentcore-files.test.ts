import { validate } from 'dockerfile-utils';
import { describe, expect, it } from 'vitest';
import { agentcoreFiles, type AgentCoreProject } from './agentcore-files.ts';
import { projectNameFrom, runtimeNameFrom } from './deployment-names.ts';
import { dockerignore } from './dockerfile.ts';
import type { PolicyDocument } from './policies.ts';

const parse = (text: string | undefined): unknown => JSON.parse(text!);
const policyIn = (text: string | undefined): PolicyDocument => parse(text) as PolicyDocument;
const projectIn = (files: Record<string, string>): AgentCoreProject =>
  parse(files['agentcore/agentcore.json']) as AgentCoreProject;

/** The actions that a policy allows, with what they are allowed on. */
function allowed(text: string | undefined): [string, string][] {
  return policyIn(text).Statement.flatMap(({ Action, Resource }) =>
    [Action].flat().flatMap((action) => [Resource].flat().map((on): [string, string] => [action, on])),
  );
}

describe('one zip', () => {
  it("is told to AWS's CLI as what its bundler makes, from a main.ts that imports the agent", () => {
    const files = agentcoreFiles({ agent: 'src/agent.ts', project: 'mathAgent' });
    expect(Object.keys(files)).toEqual([
      'agentcore/agentcore.json',
      'agentcore/aws-targets.json',
      'agentcore/policies/client.json',
      'agentcore/.gitignore',
      'app/agent/main.ts',
      'agentcore/art.json',
    ]);
    expect(projectIn(files)).toEqual({
      $schema: 'https://schema.agentcore.aws.dev/v1/agentcore.json',
      name: 'mathAgent',
      version: 1,
      managedBy: 'CDK',
      runtimes: [
        {
          name: 'agent',
          build: 'CodeZip',
          entrypoint: 'main.js',
          codeLocation: 'app/agent/',
          runtimeVersion: 'NODE_22',
          networkMode: 'PUBLIC',
          protocol: 'HTTP',
        },
      ],
    });
    expect(files['app/agent/main.ts']).toContain("import '../../src/agent.ts';\n");
    expect(parse(files['agentcore/aws-targets.json'])).toEqual([]);
  });

  it('needs no further file where the agent is called main.ts', () => {
    const files = agentcoreFiles({ agent: 'main.ts', project: 'mathAgent' });
    expect(Object.keys(files).filter((path) => path.endsWith('.ts'))).toEqual([]);
    expect(files['agentcore/agentcore.json']).toContain('"codeLocation": "./"');
  });
});

describe('a container', () => {
  const files = agentcoreFiles({ agent: 'src/agent.ts', project: 'mathAgent', build: 'Container' });
  const lines = files['Dockerfile']!.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')));

  it('is built from the folder of the project', () => {
    expect(projectIn(files).runtimes).toMatchObject([
      { build: 'Container', entrypoint: 'src/agent.ts', codeLocation: './', dockerfile: 'Dockerfile' },
    ]);
    expect(files['.dockerignore']!.split('\n')).toEqual(
      expect.arrayContaining(['.env', '**/.env.*', 'node_modules', '.git', 'agentcore']),
    );
  });

  it('has nothing that a linter remarks', () => {
    expect(validate(files['Dockerfile']!)).toEqual([]);
    // It can remark something.
    expect(validate('FROM node\nCMD ["node\nUSR node')).not.toEqual([]);
  });

  it('ends as ARM64 with a user without rights, and starts Node itself', () => {
    expect(last[0]).toMatch(/^FROM --platform=linux\/arm64 /);
    expect(last.slice(-3)).toEqual(['USER node', 'EXPOSE 8080', 'CMD ["node", "src/agent.ts"]']);
    // What is run in the last stage would need an emulator on other machines, and may leave tools behind.
    expect(last.filter((line) => line.startsWith('RUN '))).toEqual([]);
  });
});

it('leaves no agent out of its own image', () => {
  expect(dockerignore('agent.ts').split('\n')).toContain('dist');
  expect(dockerignore('dist/main.js').split('\n')).not.toContain('dist');
});

describe('rights', () => {
  const place = { bucket: 'my-results', keyPrefix: 'math', account: '123456789012', region: 'us-west-2' };

  it('of the agent: to put results, and nothing else', () => {
    const files = agentcoreFiles({ agent: 'agent.ts', project: 'mathAgent', ...place });
    expect(allowed(files['agentcore/policies/agent.json'])).toEqual([
      ['s3:PutObject', 'arn:aws:s3:::my-results/math/*'],
    ]);
    // The CLI looks for it from the folder of the code.
    const [entry] = projectIn(files).runtimes;
    expect(entry!.additionalPolicies).toEqual(['../../agentcore/policies/agent.json']);
    expect(parse(files['agentcore/aws-targets.json'])).toEqual([
      { name: 'default', account: '123456789012', region: 'us-west-2' },
    ]);
  });

  it('of the client: to call and stop this runtime and its endpoints, and to read below the prefix', () => {
    const text = agentcoreFiles({ agent: 'agent.ts', project: 'mathAgent', ...place })[
      'agentcore/policies/client.json'
    ];
    const arn = 'arn:aws:bedrock-agentcore:us-west-2:123456789012:runtime/mathAgent_agent-*';
    expect(allowed(text)).toEqual([
      ['bedrock-agentcore:InvokeAgentRuntime', arn],
      ['bedrock-agentcore:InvokeAgentRuntime', `${arn}/runtime-endpoint/*`],
      ['bedrock-agentcore:StopRuntimeSession', arn],
      ['bedrock-agentcore:StopRuntimeSession', `${arn}/runtime-endpoint/*`],
      ['s3:GetObject', 'arn:aws:s3:::my-results/math/*'],
      ['s3:ListBucket', 'arn:aws:s3:::my-results'],
    ]);
    expect(policyIn(text).Statement.at(-1)!.Condition).toEqual({
      StringLike: { 's3:prefix': 'math/*' },
    });
  });

  it.each([
    ['us-gov-west-1', 'aws-us-gov'],
    ['cn-north-1', 'aws-cn'],
    ['eusc-de-east-1', 'aws-eusc'],
  ])('of the client in %s name %s', (region, partition) => {
    const files = agentcoreFiles({ agent: 'agent.ts', project: 'mathAgent', ...place, region });
    const resources = allowed(files['agentcore/policies/client.json']).map(([, resource]) => resource);
    for (const resource of resources) expect(resource).toMatch(new RegExp(`^arn:${partition}:`));
  });

  it('name the one runtime whose ARN is known', () => {
    const agentRuntimeArn = 'arn:aws:bedrock-agentcore:us-west-2:123456789012:runtime/mathAgent_agent-abc123';
    const files = agentcoreFiles({ agent: 'agent.ts', project: 'mathAgent', agentRuntimeArn });
    expect(new Set(allowed(files['agentcore/policies/client.json']).map(([, on]) => on))).toEqual(
      new Set([agentRuntimeArn, `${agentRuntimeArn}/runtime-endpoint/*`]),
    );
    expect(files['agentcore/policies/agent.json']).toBeUndefined();
  });
});

it.each([
  [{ agent: '../agent.ts' }, /`agent`.*below the folder/],
  [{ agent: 'agent.py' }, /`agent`/],
  [{ project: 'math-agent' }, /`project`.*23 letters/],
  [{ project: 'Strands' }, /`project`/],
  [{ name: 'x'.repeat(40) }, /`name`.*up to 38/],
  [{ bucket: 'My_Bucket' }, /`bucket`/],
  [{ account: '1234' }, /`account`.*12 digits/],
  [{ region: 'west' }, /`region`/],
])('refuses %o', (wrong, message) => {
  expect(() => agentcoreFiles({ agent: 'agent.ts', project: 'mathAgent', ...wrong })).toThrow(
    expect.objectContaining({
      code: 'ART_INVALID_OPTION',
      message: expect.stringMatching(message) as string,
    }),
  );
});

it.each([
  ['@acme/math-agent', 'mathAgent'],
  ['my_agent.2', 'myAgent2'],
  ['123', 'agent'],
  ['strands', 'myStrands'],
  ['an-agent-with-a-very-long-name', 'anAgentWithAVeryLongNam'],
])('a project called %s becomes %s', (text, expected) => {
  expect(projectNameFrom(text)).toBe(expected);
});

it.each([
  ['agent.ts', 'agent'],
  ['src/math-agent.ts', 'math_agent'],
  ['7.ts', 'agent'],
])('the agent %s becomes the runtime %s', (file, expected) => {
  expect(runtimeNameFrom(file)).toBe(expected);
});
