import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DeploymentOptions, mergeFileSystems, planDeployment } from '@art/deploy';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runPython } from '../interop/run-python.ts';
import { isSageMakerPythonMissing, sagemakerPython } from '../sagemaker/provided-sagemaker-python.fixture.ts';
import { serviceModel } from '../train/aws-shapes/service-model.ts';
import { shapeProblems } from '../train/aws-shapes/shape-problems.ts';

/** Members that a runtime has from its start. */
const today = {
  agentRuntimeArtifact: {
    containerConfiguration: { containerUri: '123456789012.dkr.ecr.us-west-2.amazonaws.com/math-agent:1' },
  },
  roleArn: 'arn:aws:iam::123456789012:role/math-agent',
  networkConfiguration: { networkMode: 'PUBLIC' },
  filesystemConfigurations: [{ sessionStorage: { mountPath: '/mnt/work' } }],
};

const options: DeploymentOptions[] = [
  {},
  { bucket: 'my-results', resultsMount: '/mnt/results' },
  { bucket: 'my-results', keyPrefix: "math/a_b.c-d!'()", resultsMount: '/mnt/a.b_c-d' },
  { bucket: 'my-results', keyPrefix: 'a'.repeat(1_023), resultsMount: `/mnt/${'a'.repeat(195)}` },
  { bucket: 'my-results--usw2-az1--x-s3', resultsMount: '/mnt/results' },
  {
    minimumMemoryMib: 4_096,
    allowedPorts: ['9000-9010', '8081'],
    port: 8_090,
    invocationPath: '/agent',
    warmupPath: '/warmup',
  },
];

/** Bodies of updates, as `art deploy --run` sends them. */
async function updates(): Promise<Record<string, unknown>[]> {
  const folder = await mkdtemp(join(tmpdir(), 'art-updates-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, text] of [
    ['package.json', '{}'],
    ['agent.ts', ''],
  ] as const)
    await writeFile(join(folder, name), text);
  const plans = await Promise.all(options.map((one) => planDeployment(one, folder)));
  return plans.map(({ settings }) => ({
    ...today,
    ...settings,
    filesystemConfigurations: mergeFileSystems(
      today.filesystemConfigurations,
      settings['filesystemConfigurations'],
    ),
  }));
}

describe.skipIf(isSageMakerPythonMissing)("AWS's model of UpdateAgentRuntime", () => {
  const complaints = async (bodies: object[]): Promise<string[][]> => {
    const script = join(import.meta.dirname, 'check-runtime-updates.py');
    const told = (await runPython({
      executable: sagemakerPython,
      script,
      input: bodies,
      env: {},
    })) as string[];
    // The SDK does not look at patterns, which the service does.
    const model = serviceModel(sagemakerPython, 'bedrock-agentcore-control');
    return bodies.map((body, at) => [
      ...(told[at] === '' ? [] : [told[at]!]),
      ...shapeProblems(model, 'UpdateAgentRuntimeRequest', body),
    ]);
  };

  it('takes what is sent for each option', async () => {
    const bodies = await updates();
    expect(bodies[1]!['filesystemConfigurations']).toHaveLength(2);
    expect(await complaints(bodies)).toEqual(options.map(() => []));
  });

  it.each([
    [
      'an unknown member',
      { bucket: 'my-results', mountPath: '/mnt/results', keyPrefix: 'math/' },
      /keyPrefix/,
    ],
    ['no path', { bucket: 'my-results' }, /mountPath/],
    ['a path elsewhere', { bucket: 'my-results', mountPath: '/data/results' }, /mountPath.*does not match/],
    ['a prefix', { bucket: 'my-results', mountPath: '/mnt/results', prefix: '/math' }, /prefix.*not match/],
  ])('would tell %s', async (_name, s3BucketMount, why) => {
    const body = { ...today, filesystemConfigurations: [{ s3BucketMount }] };
    const [[first = ''] = []] = await complaints([body]);
    expect(first).toMatch(why);
  });
});
