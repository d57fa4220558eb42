import { systemClock } from '@art/ground';
import { beforeEach, expect, it, vi } from 'vitest';
import { applySettings } from './apply-settings.ts';
import { localControlPlane } from './local-control-plane.fixture.ts';
import { signedControl } from './signed-control.ts';

const clock = {
  ...systemClock,
  after: (_ms: number, callback: () => void) => systemClock.after(0, callback),
};

beforeEach(() => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'key');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  return () => vi.unstubAllEnvs();
});

async function control(becomes: Record<string, unknown>) {
  const { requests, env } = await localControlPlane('math_agent', becomes);
  return { requests, call: signedControl('us-west-2', env) };
}

const settings = { platformVersion: 'V2', environmentVariables: { PORT: '8090' } };
const options = { name: 'math_agent', settings, clock, signal: new AbortController().signal };

it('updates a runtime with all that it has, members of tomorrow too, and waits until that is done', async () => {
  const { requests, call } = await control({ status: 'READY', agentRuntimeVersion: '2' });
  const statuses: string[] = [];
  const applied = await applySettings({ ...options, call, onStatus: (status) => statuses.push(status) });
  expect(applied).toEqual({ version: '2' });
  expect(statuses).toEqual(['READY', 'UPDATING', 'READY']);
  expect(requests.find(({ method }) => method === 'PUT')).toMatchObject({
    url: '/runtimes/math_agent-abc/',
    authorization: expect.stringContaining('/us-west-2/bedrock-agentcore/aws4_request') as string,
  });
  expect(requests.find(({ method }) => method === 'PUT')?.body).toEqual({
    roleArn: 'role',
    agentRuntimeArtifact: { codeConfiguration: {} },
    filesystemConfigurations: [{ sessionStorage: { mountPath: '/mnt/work' } }],
    aMemberOfTomorrow: [1],
    platformVersion: 'V2',
    environmentVariables: { MINE: 'x', PORT: '8090' },
  });
});

it('puts a file system beside those that a runtime has, and never in the place of one', async () => {
  const { requests, call } = await control({ status: 'READY', agentRuntimeVersion: '2' });
  const mounting = (mountPath: string) =>
    applySettings({
      ...options,
      settings: { filesystemConfigurations: [{ s3BucketMount: { bucket: 'my-results', mountPath } }] },
      call,
      onStatus: () => {},
    });
  await expect(mounting('/mnt/work')).rejects.toMatchObject({ code: 'ART_INVALID_OPTION' });
  expect(requests.filter(({ method }) => method === 'PUT')).toEqual([]);
  await mounting('/mnt/results');
  expect(requests.find(({ method }) => method === 'PUT')?.body).toMatchObject({
    filesystemConfigurations: [
      { sessionStorage: { mountPath: '/mnt/work' } },
      { s3BucketMount: { bucket: 'my-results', mountPath: '/mnt/results' } },
    ],
  });
});

it('tells why an update failed, and of a runtime that is not there', async () => {
  const { call } = await control({ status: 'UPDATE_FAILED', failureReason: 'The warm-up answered 500' });
  const onStatus = (): void => {};
  await expect(applySettings({ ...options, call, onStatus })).rejects.toMatchObject({
    code: 'ART_AGENTCORE_CONTROL',
    message: expect.stringContaining('UPDATE_FAILED: The warm-up answered 500') as string,
  });
  await expect(applySettings({ ...options, name: 'nobody', call, onStatus })).rejects.toThrow(
    /nobody.*got none/,
  );
});
