import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { agentArn } from '../fake-agent.fixture.ts';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { holdDevConnection } from './dev-connection.ts';
import { findRunTarget } from './run-target.ts';

const localArn = 'arn:aws:bedrock-agentcore:us-west-2:123456789012:runtime/agent-local00000';
const run = { runId: 'r', agentRuntimeArn: agentArn, bucket: 'results' };

async function folderWithDev(): Promise<{ cwd: string; endpoint: string }> {
  const server = createServer((_, response) => void response.end('{}'));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => void server.close());
  const cwd = await temporaryFolder();
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const held = await holdDevConnection(cwd, {
    endpoint,
    agentRuntimeArn: localArn,
    bucket: 'art-local',
    region: 'us-west-2',
  });
  onTestFinished(() => held[Symbol.asyncDispose]());
  return { cwd, endpoint };
}

describe('findRunTarget', () => {
  it('finds the runtime of the journal at AWS, with an "art dev" beside it and without', async () => {
    const { cwd } = await folderWithDev();
    for (const folder of [cwd, await temporaryFolder()]) {
      expect(await findRunTarget(run, {}, { cwd: folder, env: {} })).toEqual({
        agentRuntimeArn: agentArn,
        bucket: 'results',
        region: 'us-west-2',
        endpoint: undefined,
        credentials: 'aws',
      });
    }
  });

  it.each([localArn, undefined])('finds "art dev" at the port that it has now (%s)', async (arn) => {
    const { cwd, endpoint } = await folderWithDev();
    expect(await findRunTarget({ ...run, agentRuntimeArn: arn }, {}, { cwd, env: {} })).toMatchObject({
      agentRuntimeArn: localArn,
      bucket: 'results',
      endpoint,
      credentials: 'local',
    });
  });

  it('lets options win', async () => {
    const { cwd, endpoint } = await folderWithDev();
    const other = agentArn.replace('my_agent', 'other');
    expect(
      await findRunTarget({ ...run, agentRuntimeArn: localArn }, { arn: other }, { cwd, env: {} }),
    ).toMatchObject({
      agentRuntimeArn: other,
      credentials: 'aws',
    });
    expect(await findRunTarget(run, { endpoint }, { cwd, env: {} })).toMatchObject({
      agentRuntimeArn: agentArn,
      endpoint,
      credentials: 'local',
    });
  });

  it('never sends to AWS what is of a local agent, and says what to do', async () => {
    const { cwd } = await folderWithDev();
    const empty = await temporaryFolder();
    const ofLocal = { ...run, agentRuntimeArn: localArn };
    await expect(findRunTarget(ofLocal, {}, { cwd: empty, env: {} })).rejects.toMatchObject({
      code: 'ART_NO_DEV_INSTANCE',
    });
    const ofOther = { ...run, agentRuntimeArn: localArn.replace('agent-', 'maths-') };
    await expect(findRunTarget(ofOther, {}, { cwd, env: {} })).rejects.toMatchObject({
      code: 'ART_NO_DEV_INSTANCE',
      message: expect.stringContaining('maths-local00000') as string,
    });
    const unknown = { ...run, agentRuntimeArn: undefined };
    await expect(findRunTarget(unknown, {}, { cwd: empty, env: {} })).rejects.toMatchObject({
      code: 'ART_INVALID_OPTION',
      message: expect.stringContaining('--arn') as string,
    });
  });
});
