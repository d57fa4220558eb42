import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { startLocalRuntime, type LocalRuntime } from '@art/local';
import { shortlist } from '@art/tooling/thorough';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { scriptedAgent } from '../interop/interop-runtime.fixture.ts';
import { awsEnvironment } from './aws-environment.fixture.ts';

const script = join(import.meta.dirname, 'interrupted-loop.fixture.ts');
let local: LocalRuntime;

beforeAll(async () => {
  local = await startLocalRuntime({
    agents: { scripted: scriptedAgent },
    stopGraceMs: 500,
    s3: { autoCreateBuckets: true },
  });
});
afterAll(() => local.close());

describe("Ctrl-C in the README's loop", () => {
  it.each(
    shortlist(
      [
        ['batch', 'SIGINT', 130, 6],
        ['single', 'SIGINT', 130, 1],
        ['batch', 'SIGTERM', 143, 6],
      ],
      2,
    ),
  )('leaves no session of a %s after %s, and exits with %i', async (...row) => {
    const [kind, signal, exitCode, sessions] = row;
    const child = spawn(
      process.execPath,
      ['--conditions=@art/source', script, local.arnOf('scripted'), kind],
      {
        env: { ...process.env, ...awsEnvironment(local.endpoint) },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    onTestFinished(() => void child.kill('SIGKILL'));
    let output = '';
    let errors = '';
    child.stdout.on('data', (piece) => (output += piece));
    child.stderr.on('data', (piece) => (errors += piece));
    await vi.waitFor(() => expect(output + errors).toContain('accepted'));
    expect(local.metrics().liveSessions).toBe(sessions);
    child.kill(signal);
    const [code] = (await once(child, 'close')) as [number | null];
    expect({ code, errors }).toEqual({ code: exitCode, errors: '' });
    expect(output).toBe('accepted\n');
    await vi.waitFor(() => expect(local.metrics().liveSessions).toBe(0));
    expect(local.metrics().endedSessions.stopped).toBeGreaterThanOrEqual(sessions);
  });
});
