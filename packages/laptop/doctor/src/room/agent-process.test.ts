import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@art/tooling/eventually';
import { expect, it, onTestFinished } from 'vitest';
import { startCheckedProcess } from './agent-process.ts';

/** Starts an agent as the doctor does, and says where it is. */
const doctor = `
const { startCheckedProcess } = await import(${JSON.stringify(join(import.meta.dirname, 'agent-process.ts'))});
const agent = await startCheckedProcess(
  [process.execPath, '--eval', "require('http').createServer((_, answer) => answer.end()).listen(process.env.PORT)"],
  process.env,
  { cwd: process.cwd(), signal: new AbortController().signal },
);
console.log(agent.url);
setInterval(() => undefined, 1_000);
`;

it('leaves no agent behind when the doctor is killed', async () => {
  const child = spawn(
    process.execPath,
    ['--conditions=@art/source', '--no-warnings', '--input-type=module', '--eval', doctor],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const url = line.toString('utf8').trim();
  expect((await fetch(url)).status).toBe(200);
  child.kill('SIGKILL');
  await once(child, 'exit');
  await eventually(() => expect(fetch(url)).rejects.toThrow('fetch failed'));
});

it('starts an agent on another port where a program was faster on the first', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'art-doctor-port-'));
  onTestFinished(() => rm(cwd, { recursive: true, force: true }));
  const loser = `
    const { createServer } = require('node:http');
    const serve = () => createServer((_, answer) => answer.end()).listen(process.env.PORT);
    serve();
    if (!require('node:fs').existsSync('second')) {
      require('node:fs').writeFileSync('second', '');
      serve();
    }`;
  const agent = await startCheckedProcess([process.execPath, '--eval', loser], process.env, {
    cwd,
    signal: new AbortController().signal,
  });
  onTestFinished(() => agent.kill());
  expect((await fetch(agent.url)).status).toBe(200);
});

it('starts a command line in the place of its shell, so that a signal reaches the agent', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'art-doctor-line-'));
  onTestFinished(() => rm(cwd, { recursive: true, force: true }));
  const source = `require('node:http').createServer((_, answer) => answer.end()).listen(process.env.PORT);
    process.on('SIGTERM', () => process.exit(7));`;
  await writeFile(join(cwd, 'agent.cjs'), source);
  const agent = await startCheckedProcess(`'${process.execPath}' agent.cjs`, process.env, {
    cwd,
    signal: new AbortController().signal,
  });
  onTestFinished(() => agent.kill());
  agent.terminate();
  expect(await agent.endedWithin(60_000)).toBe(true);
  expect(agent.exit()).toEqual({ code: 7, signal: null });
});

it('starts an agent once that takes its own port choice, where another program has that', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'art-doctor-own-'));
  onTestFinished(() => rm(cwd, { recursive: true, force: true }));
  const other = createServer().listen(0);
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const stubborn = `require('node:fs').appendFileSync('starts', 'x');
    require('node:http').createServer().listen(${port});`;
  const starting = startCheckedProcess([process.execPath, '--eval', stubborn], process.env, {
    cwd,
    signal: new AbortController().signal,
  });
  await expect(starting).rejects.toThrow('EADDRINUSE');
  expect(await readFile(join(cwd, 'starts'), 'utf8')).toBe('x');
});
