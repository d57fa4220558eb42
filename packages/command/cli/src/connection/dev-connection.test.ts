import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { holdFolder } from '@art/ground';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { findDevConnection, holdDevConnection } from './dev-connection.ts';

const place = {
  endpoint: 'http://127.0.0.1:1',
  agentRuntimeArn: 'arn:aws:bedrock-agentcore:us-west-2:123456789012:runtime/agent-local00000',
  bucket: 'art-local',
  region: 'us-west-2',
};

describe('the connection of art dev', () => {
  it('is found from the folder and from below it, and leaves nothing', async () => {
    const folder = await temporaryFolder();
    const below = join(folder, 'src/deep');
    await mkdir(below, { recursive: true });
    const held = await holdDevConnection(folder, place);
    for (const start of [folder, below])
      expect(findDevConnection(start)).toEqual({
        kind: 'running',
        connection: { ...place, pid: process.pid },
      });
    await expect(holdDevConnection(folder, place)).rejects.toThrow(/process \d+ .*--arn and --endpoint/);
    await held[Symbol.asyncDispose]();
    expect(findDevConnection(below)).toEqual({ kind: 'none' });
    expect(existsSync(join(folder, '.art'))).toBe(false);
  });

  it('of a process that has died is stale, and is taken over', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, '.art/dev');
    await mkdir(path, { recursive: true });
    // As a killed one leaves it; its id is one of a living process by now.
    const left = { pid: process.ppid, host: 'laptop', sinceMs: 1, facts: place };
    await writeFile(join(path, 'holder.json'), JSON.stringify(left));
    await writeFile(join(path, 'hold.lock'), '');
    expect(findDevConnection(folder)).toEqual({ kind: 'stale', path, pid: process.ppid });
    await using _ = await holdDevConnection(folder, place);
    expect(findDevConnection(folder)).toMatchObject({ kind: 'running' });
  });

  it.each([{}, { ...place, region: 1 }, { ...place, endpoint: 'http://example.com:80' }])(
    'that says %j is not used',
    async (facts) => {
      const folder = await temporaryFolder();
      await using _ = await holdFolder(join(folder, '.art/dev'), { facts });
      expect(findDevConnection(folder)).toMatchObject({ kind: 'stale', pid: undefined });
    },
  );
});
