import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { capturedContext } from '../captured-context.fixture.ts';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { runMockModel } from './mock-model.ts';

const options = { port: 0, failStatus: 500, json: true };

it('serves a script with failures and delays of the command line, and tells what it was asked', async () => {
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, 's.json'), '[{"turns":["It is {question}"]}]');
  const context = capturedContext({ cwd });
  const run = runMockModel(
    { ...options, script: 's.json', failEvery: 2, failStatus: 429, delayMs: 1 },
    context,
  );
  const ready = await vi.waitFor(() => JSON.parse(context.output().split('\n')[0]!) as { baseUrl: string });
  const ask = () =>
    fetch(`${ready.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"model":"m","messages":[{"role":"user","content":"late"}]}',
    });
  expect(await (await ask()).json()).toMatchObject({ choices: [{ message: { content: 'It is late' } }] });
  expect((await ask()).status).toBe(429);
  context.signals.emit('SIGINT', 'SIGINT');
  expect(await run).toBe(0);
  const events = context
    .output()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  expect(events).toMatchObject([
    { event: 'ready' },
    { event: 'turn', wire: 'chat', question: 'late', turn: { text: 'It is late', delayMs: 1 } },
    { event: 'turn', turn: { error: { status: 429 } } },
    { event: 'stopped' },
  ]);
});

it('tells people in one line a turn', async () => {
  const context = capturedContext();
  const run = runMockModel({ ...options, json: false }, context);
  const url = await vi.waitFor(() => /at (http:\S+)/.exec(context.output())![1]!);
  await fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'm',
      messages: [{ role: 'user', content: `two\nlines ${'x'.repeat(200)}` }],
    }),
  });
  context.signals.emit('SIGTERM', 'SIGTERM');
  await run;
  expect(context.output()).toMatch(/\nmessages, turn 1: two lines x+… -> You said: two lines x+…\n$/);
});

it('says what is wrong with a taken port or a script', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await vi.waitFor(() => expect(server.listening).toBe(true));
  const { port } = server.address() as AddressInfo;
  await expect(runMockModel({ ...options, port }, capturedContext())).rejects.toMatchObject({
    code: 'ART_PORT_TAKEN',
  });
  await expect(runMockModel({ ...options, script: 'none.json' }, capturedContext())).rejects.toMatchObject({
    code: 'ART_INVALID_OPTION',
  });
});
