import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import { eventually } from '@art/tooling/eventually';
import { FileObjectBackend } from './index.ts';
import { rawConnect, rawRequest } from '@art/tooling/raw-http';
import { isRunning } from '@art/tooling/is-running';
import { invokeJson, newSessionId, startTiny } from './tiny-agent.fixture.ts';

it('a runtime killed with SIGKILL takes its sessions along, and another continues over its folder', async () => {
  const root = mkdtempSync(join(tmpdir(), 'art-restart-'));
  onTestFinished(() => {
    for (const folder of [root, `${root}-logs`]) rmSync(folder, { recursive: true, force: true });
  });
  const host = spawn(
    process.execPath,
    ['--conditions=@art/source', join(import.meta.dirname, 'data-host-process.fixture.ts'), root],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  onTestFinished(() => void host.kill('SIGKILL'));
  const [line] = (await once(createInterface({ input: host.stdout }), 'line')) as [string];
  const { endpoint, pid } = JSON.parse(line) as { endpoint: string; pid: number };
  let port = Number(new URL(endpoint).port);
  expect(isRunning(pid)).toBe(true);
  expect((await rawRequest(port, 'PUT', '/bucket/exp/done', {}, 'whole')).status).toBe(200);
  // One upload is under way in the moment of the end.
  const { socket, ended } = await rawConnect(port);
  socket.write('PUT /bucket/exp/torn HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 1000\r\n\r\nhalf');
  await eventually(() => expect(readdirSync(join(root, '.s3/uploads'))).toHaveLength(1));

  host.kill('SIGKILL');
  await ended;
  await eventually(() => expect(isRunning(pid)).toBe(false));

  // At its own port: by now the other one may be somebody else's.
  await using local = await startTiny([], {
    // An hour later, when what is torn cannot be somebody's who is still writing.
    s3: { backend: new FileObjectBackend({ root, now: () => Date.now() + 3_700_000 }) },
  });
  port = Number(new URL(local.endpoint).port);
  const read = await rawRequest(port, 'GET', '/bucket/exp/done');
  expect(read.body).toBe('whole');
  expect((await rawRequest(port, 'GET', '/bucket/exp/torn')).status).toBe(404);
  const listing = await rawRequest(port, 'GET', '/bucket?list-type=2');
  expect([...listing.body.matchAll(/<Key>(.*?)<\/Key>/g)].map((match) => match[1])).toEqual(['exp/done']);
  expect((await rawRequest(port, 'PUT', '/bucket/exp/torn', { 'if-none-match': '*' }, 'again')).status).toBe(
    200,
  );
  await invokeJson(local.runtime('tiny'), newSessionId(), {});
  expect(readdirSync(join(root, '.s3/uploads'))).toEqual([]);
});
