import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { InvocationRecords } from './invocation-records.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'art-records-'));
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(root, { recursive: true, force: true });
});

describe('the records of invocations', () => {
  it.each(['../../x', '/etc/passwd', '..', 'a/b', '\0', '', 'x'.repeat(256), 'ü'])(
    'never leave the folder, whatever the session is called: %j',
    async (sessionId) => {
      const records = new InvocationRecords(root);
      const name = { sessionId, invocationId: 'inv-1' };
      expect(dirname(dirname(records.folderOf(name)))).toBe(root);
      await records.start(name, '{"invocation_id":"inv-1"}');
      expect(await records.started(name)).toEqual({ invocation_id: 'inv-1' });
      expect((await readdir(root)).every((folder) => /^[0-9a-f]{64}$/.test(folder))).toBe(true);
    },
  );

  it('read what the Python toolkit wrote, and write nothing else than it reads', async () => {
    const records = new InvocationRecords(root);
    const name = { sessionId: 's', invocationId: 'inv-1' };
    // As published 0.2.0 wrote them: sha256('s'), then the id.
    const folder = join(root, '043a718774c572bd8a25adbeb1bfcd5c0256ae11cecf9f9c3f925d0e52beaf89', 'inv-1');
    expect(records.folderOf(name)).toBe(folder);
    await mkdir(folder, { recursive: true });
    await writeFile(
      join(folder, 'started.json'),
      '{"version": 1, "invocation_id": "inv-1", "status": "in_progress"}',
    );
    const result =
      '{"version": 1, "invocation_id": "inv-1", "status": "completed", "result": {"reward": 1.0, "text": "gr\\u00fc\\u00dfe"}}';
    await writeFile(join(folder, 'result.json'), result);
    expect(await records.started(name)).toEqual({
      version: 1,
      invocation_id: 'inv-1',
      status: 'in_progress',
    });
    expect((await records.result(name))?.toString()).toBe(result);
    await records.finish(name, '{}');
    // No temporary files are left beside them.
    expect(await readdir(folder)).toEqual(['result.json', 'started.json']);
  });

  it('do not take one id for another where the file system has no upper case', async () => {
    const records = new InvocationRecords(root);
    await records.start({ sessionId: 's', invocationId: 'inv-A' }, '{"invocation_id":"inv-a"}');
    await expect(records.started({ sessionId: 's', invocationId: 'inv-A' })).rejects.toMatchObject({
      code: 'ART_STATE_DIR',
      message: expect.stringContaining('upper and lower case') as string,
    });
  });

  it('stand in the temporary folder unless told otherwise, and are looked for when they are needed', () => {
    const records = new InvocationRecords(undefined);
    vi.stubEnv('TMPDIR', root);
    expect(records.folderOf({ sessionId: '', invocationId: 'i' })).toContain(
      join(root, '.agentcore_runtime'),
    );
  });
});

describe('the probe', () => {
  it('makes the folder and leaves nothing in it', async () => {
    const folder = join(root, 'a', 'b');
    await new InvocationRecords(folder).probe();
    expect(await readdir(folder)).toEqual([]);
  });

  it.each([
    ['a file', async (place: string) => writeFile(place, '')],
    [
      'a folder that is not to be written',
      async (place: string) => {
        await mkdir(place);
        await chmod(place, 0o500);
      },
    ],
  ])('names the folder where it is %s', async (what, make) => {
    const place = join(root, 'place');
    await make(place);
    // Nothing is forbidden to the root user.
    if (what.startsWith('a folder') && process.getuid?.() === 0) return;
    await expect(new InvocationRecords(place).probe()).rejects.toMatchObject({
      code: 'ART_STATE_DIR',
      message: expect.stringContaining(place) as string,
    });
  });

  it.runIf(process.platform === 'linux')('comes to an end where no folder can be made at all', async () => {
    await expect(new InvocationRecords('/proc/nope/state').probe()).rejects.toMatchObject({
      code: 'ART_STATE_DIR',
    });
  });
});
