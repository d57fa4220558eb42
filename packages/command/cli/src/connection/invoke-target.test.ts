import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { holdDevConnection } from './dev-connection.ts';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { findInvokeTarget } from './invoke-target.ts';

const arn = 'arn:aws:bedrock-agentcore:eu-central-1:123456789012:runtime/my_agent-abc123';

async function folderWithDev(status: number): Promise<{ cwd: string; endpoint: string }> {
  const server = createServer((_, response) => response.writeHead(status).end('{}')).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const cwd = await temporaryFolder();
  const held = await holdDevConnection(cwd, {
    endpoint,
    agentRuntimeArn: arn,
    bucket: 'art-local',
    region: 'eu-central-1',
  });
  onTestFinished(() => held[Symbol.asyncDispose]());
  return { cwd, endpoint };
}

describe('findInvokeTarget', () => {
  it('finds the art dev of the folder', async () => {
    const { cwd, endpoint } = await folderWithDev(200);
    expect(await findInvokeTarget({}, { cwd, env: {} })).toEqual({
      agentRuntimeArn: arn,
      bucket: 'art-local',
      region: 'eu-central-1',
      endpoint,
      credentials: 'local',
    });
    expect(await findInvokeTarget({ bucket: 'other' }, { cwd, env: {} })).toMatchObject({ bucket: 'other' });
  });

  it('says what is wrong with it', async () => {
    const none = await temporaryFolder();
    const dead = await temporaryFolder();
    await mkdir(join(dead, '.art/dev'), { recursive: true });
    const left = { pid: 4_194_305, host: 'laptop', sinceMs: 1, facts: {} };
    await writeFile(join(dead, '.art/dev/holder.json'), JSON.stringify(left));
    const other = await folderWithDev(404);
    const refusals: [string, RegExp][] = [
      [none, /None runs in this folder/],
      [dead, /dev is of process 4194305, which has ended/],
      [other.cwd, /does not answer at http/],
    ];
    for (const [cwd, message] of refusals) {
      const found = findInvokeTarget({}, { cwd, env: {} });
      await expect(found).rejects.toThrow(message);
      await expect(found).rejects.toMatchObject({ code: 'ART_NO_DEV_INSTANCE' });
    }
  });

  it('has no bucket where results are to come from sessions', async () => {
    const named = 'arn:aws:bedrock-agentcore:us-west-2:123456789012:runtime/a-0123456789';
    expect(await findInvokeTarget({ arn: named }, { cwd: '/', env: {} })).toMatchObject({
      agentRuntimeArn: named,
      bucket: undefined,
    });
  });

  it.each([
    ['AWS by default', undefined, {}, 'aws'],
    ['AWS with its own endpoint', 'https://vpce.amazonaws.com', {}, 'aws'],
    ['a local endpoint', 'http://127.0.0.1:8787', {}, 'local'],
    ['a local endpoint in the environment', undefined, { AWS_ENDPOINT_URL: 'http://localhost:1' }, 'local'],
    ['a local endpoint with keys', 'http://127.0.0.1:8787', { AWS_ACCESS_KEY_ID: 'x' }, 'aws'],
  ])('signs for %s', async (_, endpoint, env, credentials) => {
    const target = await findInvokeTarget({ arn, bucket: 'b-1', endpoint }, { cwd: '/', env });
    expect(target).toEqual({
      agentRuntimeArn: arn,
      bucket: 'b-1',
      region: 'eu-central-1',
      endpoint,
      credentials,
    });
  });
});
