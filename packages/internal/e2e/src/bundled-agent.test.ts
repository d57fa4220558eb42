import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { RolloutClient, S3ResultStore } from '@art/client';
import { startLocalRuntime } from '@art/local';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readReadmes } from './readmes/readme.ts';

const run = promisify(execFile);
const packageRoot = join(import.meta.dirname, '..');
const readme = readReadmes().find(({ path }) => path === 'packages/agent/agent/README.md')!;
const agentSource = readme.fences.find(({ language }) => language === 'ts')!.lines.join('\n');
const commands = readme.fences
  .filter(({ language }) => language === 'sh')
  .flatMap(({ lines }) => lines.filter((line) => line.startsWith('npx --no-install esbuild ')));
let folder: string;

beforeAll(async () => {
  // Inside of the package, so that what the agent imports is found.
  folder = await mkdtemp(join(packageRoot, 'node_modules/.bundle-'));
  await writeFile(join(folder, 'agent.ts'), agentSource);
});
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));

it.each(['agent.cjs', 'agent.mjs'])('the agent of the README runs as %s', async (file) => {
  const command = commands.find((line) => line.includes(`--outfile=${file}`));
  expect(command, `the README has no command that makes ${file}`).toBeDefined();
  const esbuild = join(packageRoot, 'node_modules/.bin/esbuild');
  // As it is written, run by a shell; the condition stands for what the published packages have built.
  const line = `${command!.replace('npx --no-install esbuild', esbuild)} --conditions=@art/source --log-level=warning`;
  expect(await run('/bin/sh', ['-c', line], { cwd: folder })).toEqual({ stdout: '', stderr: '' });

  await using local = await startLocalRuntime({
    agents: { bundled: { command: [process.execPath, join(folder, file)], cwd: folder } },
    s3: { buckets: ['bundled'] },
  });
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const store = new S3ResultStore({
    endpoint: local.endpoint,
    region: 'us-west-2',
    clientConfig: { credentials },
  });
  const runtime = local.runtime('bundled');
  await using client = new RolloutClient({ runtime, store, bucket: 'bundled', expId: 'e' });
  const [item] = await Array.fromAsync(
    client.runBatch([{ prompt: 'three', answer: '5' }], { maxConcurrentSessions: 1, timeoutMs: 100_000 }),
  );
  expect(item?.outcome).toMatchObject({ kind: 'ok', reward: 1 });
  await store.close();
});
