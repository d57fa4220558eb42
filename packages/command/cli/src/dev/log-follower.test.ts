import { appendFile, link, rm, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { LogFollower } from './log-follower.ts';

const id = 'a856c62e-0000-4000-8000-000000000001';
const live = (): boolean => true;
const dead = (): boolean => false;

async function follow(ignored: string[] = []) {
  const directory = await temporaryFolder();
  const lines: [string | undefined, string][] = [];
  const clock = { nowMs: 0 };
  const follower = new LogFollower({
    directory,
    ignored,
    onLine: (line, sessionId) => lines.push([sessionId, line]),
    now: () => clock.nowMs,
  });
  const take = (): [string | undefined, string][] => lines.splice(0);
  return { directory, follower, clock, take, path: (name: string) => join(directory, name) };
}

describe('LogFollower', () => {
  it('reads what is there, then what is added', async () => {
    const { follower, take, path } = await follow();
    await writeFile(path(`${id}.log`), 'one\ntwo\n');
    await follower.poll(live);
    expect(take()).toEqual([
      [id, 'one'],
      [id, 'two'],
    ]);
    await follower.poll(live);
    expect(take()).toEqual([]);
    await appendFile(path(`${id}.log`), 'three\n');
    await follower.poll(live);
    expect(take()).toEqual([[id, 'three']]);
    await follower.close();
  });

  it('continues across a rename, without a line twice or lost', async () => {
    const { follower, take, path } = await follow();
    await writeFile(path('start-12-1.log'), 'booting\n');
    await follower.poll(live);
    expect(take()).toEqual([[undefined, 'booting']]);

    // As the runtime does it: for a moment the file has two names.
    await link(path('start-12-1.log'), path(`${id}.log`));
    await follower.poll(live);
    await unlink(path('start-12-1.log'));
    await appendFile(path(`${id}.log`), 'working\n');
    await follower.poll(live);
    expect(take()).toEqual([[id, 'working']]);
    await follower.close();
  });

  it('tells the lives of one session id by their session', async () => {
    const { follower, take, path } = await follow();
    await writeFile(path(`${id}.log`), 'first\n');
    await writeFile(path(`${id}.2.log`), 'second\n');
    await follower.poll(live);
    expect(take().toSorted()).toEqual([
      [id, 'first'],
      [id, 'second'],
    ]);
    await follower.close();
  });

  it('leaves the files of earlier runs alone', async () => {
    const { follower, take, path } = await follow([`${id}.log`]);
    await writeFile(path(`${id}.log`), 'old\n');
    await follower.poll(live);
    expect(take()).toEqual([]);
  });

  it('shows a line that stays unfinished after a second', async () => {
    const { follower, clock, take, path } = await follow();
    await writeFile(path(`${id}.log`), 'done\nContinue? ');
    await follower.poll(live);
    clock.nowMs = 999;
    await follower.poll(live);
    expect(take()).toEqual([[id, 'done']]);
    clock.nowMs = 1_000;
    await follower.poll(live);
    expect(take()).toEqual([[id, 'Continue? ']]);
    await follower.close();
  });

  it('reads the file of a dead session to its end, then closes it', async () => {
    const { follower, take, path } = await follow();
    await writeFile(path(`${id}.log`), 'last words\nunfinished');
    await follower.poll(dead);
    await follower.poll(dead);
    expect(take()).toEqual([
      [id, 'last words'],
      [id, 'unfinished'],
    ]);
    await appendFile(path(`${id}.log`), ' never read\n');
    await follower.poll(dead);
    expect(take()).toEqual([]);
  });

  it('lets go of the file of a process that no session took', async () => {
    const { follower, take, path } = await follow();
    await writeFile(path('start-12-1.log'), 'ready');
    await follower.poll(live);
    await unlink(path('start-12-1.log'));
    await follower.poll(live);
    expect(take()).toEqual([[undefined, 'ready']]);
  });

  it('has the end of files whose folder was removed', async () => {
    const { follower, directory, take, path } = await follow();
    await writeFile(path(`${id}.log`), 'one\n');
    await follower.poll(live);
    await appendFile(path(`${id}.log`), 'two\nthree');
    await rm(directory, { recursive: true, maxRetries: 10 });
    await follower.close();
    expect(take().map(([, line]) => line)).toEqual(['one', 'two', 'three']);
  });

  it('waits for a folder that is not there yet', async () => {
    const { follower, directory } = await follow();
    await rm(directory, { recursive: true, maxRetries: 10 });
    await expect(follower.poll(live)).resolves.toBeUndefined();
  });
});
