import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { conversation } from '@art/trajectories/testing';
import { DiskCaptureStore } from '../store/disk/disk-capture-store.ts';

it('are told in the log when a gateway starts on them', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'art-damaged-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 10 }));
  const store = await DiskCaptureStore.open({ directory });
  await store.append(conversation('s', 3));
  await store.close();
  const name = (await readdir(directory)).find((file) => file.endsWith('.captures'));
  const path = join(directory, name!);
  const bytes = await readFile(path);
  bytes[20]! ^= 1;
  await writeFile(path, bytes);
  // In its own process: the log goes to its standard output.
  const script = `import { startGateway } from ${JSON.stringify(join(import.meta.dirname, 'start-gateway.ts'))};
    await (await startGateway({ port: 0, store: { directory: ${JSON.stringify(directory)} } })).close();`;
  const flags = ['--conditions=@art/source', '--input-type=module', '--eval', script];
  const { stdout } = await promisify(execFile)(process.execPath, flags);
  const lines = stdout.split('\n').filter((line) => line.includes('damaged'));
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({
      msg: 'captures on disk are damaged',
      problem: expect.stringContaining(path) as string,
    }),
  ]);
});
