import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import {
  type DevConnection,
  findDevConnection,
  removeDevConnection,
  writeDevConnection,
} from './dev-connection.ts';

/** Above the largest number that Linux and macOS give to a process. */
const deadPid = 2 ** 22 + 1;

function connection(pid: number): DevConnection {
  return {
    version: 1,
    pid,
    endpoint: 'http://127.0.0.1:1',
    agentRuntimeArn: 'arn:aws:bedrock-agentcore:us-west-2:123456789012:runtime/agent-local00000',
    bucket: 'art-local',
    region: 'us-west-2',
  };
}

describe('the connection file', () => {
  it('is found from the folder and from below it, and leaves nothing when removed', async () => {
    const folder = await temporaryFolder();
    const below = join(folder, 'src/deep');
    await mkdir(below, { recursive: true });
    await writeDevConnection(folder, connection(process.pid));
    for (const start of [folder, below]) {
      expect(await findDevConnection(start)).toEqual({
        kind: 'running',
        connection: connection(process.pid),
      });
    }
    await removeDevConnection(folder, process.pid);
    expect(await findDevConnection(below)).toEqual({ kind: 'none' });
    expect(existsSync(join(folder, '.art'))).toBe(false);
  });

  it('of a process that has died is stale, and is written over', async () => {
    const folder = await temporaryFolder();
    await writeDevConnection(folder, connection(deadPid));
    expect(await findDevConnection(folder)).toEqual({
      kind: 'stale',
      path: join(folder, '.art/dev.json'),
      pid: deadPid,
    });
    expect(await writeDevConnection(folder, connection(process.pid))).toBeUndefined();
    expect(await findDevConnection(folder)).toMatchObject({ kind: 'running' });
  });

  it('is left alone by one that another has replaced', async () => {
    const folder = await temporaryFolder();
    await writeDevConnection(folder, connection(process.ppid));
    expect(await writeDevConnection(folder, connection(process.pid))).toEqual(connection(process.ppid));
    await removeDevConnection(folder, process.ppid);
    expect(await findDevConnection(folder)).toMatchObject({ kind: 'running' });
  });

  it.each([
    '',
    '{',
    'null',
    '{"version":2}',
    JSON.stringify({ ...connection(1), pid: -1 }),
    JSON.stringify({ ...connection(1), endpoint: 'http://example.com:80' }),
  ])('that reads %j is stale', async (text) => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, '.art'));
    await writeFile(join(folder, '.art/dev.json'), text);
    expect(await findDevConnection(folder)).toMatchObject({ kind: 'stale', pid: undefined });
  });
});
