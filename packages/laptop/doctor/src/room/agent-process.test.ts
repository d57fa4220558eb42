import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
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
