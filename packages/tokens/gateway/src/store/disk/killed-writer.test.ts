import { spawn } from 'node:child_process';
import { appended } from '../conformance/capture-store-check.ts';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { conversation } from '@art/trajectories/testing';
import { DiskCaptureStore } from './disk-capture-store.ts';

/** Runs a writer until it has acknowledged so many lines, and kills it in mid-work; the whole lines it wrote. */
async function runAndKill(directory: string, name: string, lines: number): Promise<string[]> {
  const script = join(import.meta.dirname, 'killed-writer.fixture.ts');
  const child = spawn(process.execPath, ['--conditions=@art/source', script, directory, name], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exited = once(child, 'close');
  let output = '';
  for await (const chunk of child.stdout) {
    output += String(chunk);
    if (child.killed || output.split('\n').length <= lines) continue;
    child.kill('SIGKILL');
  }
  const [, signal] = (await exited) as [unknown, unknown];
  expect(signal).toBe('SIGKILL');
  return output.slice(0, output.lastIndexOf('\n')).split('\n').slice(1);
}

it('has every capture that was acknowledged before kill -9, and none of what was deleted', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'art-killed-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 10 }));
  const acknowledged: string[] = [];
  for (const [run, lines] of [150, 37, 400].entries()) {
    acknowledged.push(...(await runAndKill(directory, `run${run}`, lines)));
  }
  const deleted = acknowledged.filter((line) => line.startsWith('deleted ')).map((line) => line.slice(8));
  const captureIds = acknowledged.filter((line) => !line.startsWith('deleted '));
  expect(captureIds.length).toBeGreaterThan(400);
  expect(deleted.length).toBeGreaterThan(10);

  const store = await DiskCaptureStore.open({ directory });
  expect(store.recovery.problems).toEqual([]);
  for (const sessionId of deleted) expect(await store.session(sessionId)).toBeUndefined();
  for (const captureId of captureIds) {
    const sessionId = captureId.slice(0, captureId.lastIndexOf('-'));
    if (deleted.includes(sessionId)) continue;
    const capture = await store.capture(captureId);
    // A deletion may have been done and not yet told when the process was killed; only every third session is deleted.
    if (capture === undefined && (await store.session(sessionId)) === undefined) {
      expect(Number(sessionId.split('-').at(-1)) % 3).toBe(2);
      continue;
    }
    expect(appended(capture)).toEqual(conversation(sessionId, 4)[Number(captureId.split('-').at(-1))]);
  }
  for (const run of [0, 1, 2]) {
    expect(await store.session(`run${run}-kept`)).toMatchObject({
      metadata: { name: `run${run}` },
      samplingParams: { top_k: 3 },
    });
  }
  await store.close();
});
