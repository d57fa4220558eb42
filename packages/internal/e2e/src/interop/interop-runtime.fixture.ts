import { join } from 'node:path';
import { startLocalRuntime, type LocalAgentOptions, type LocalRuntime, type RuntimeFaults } from '@art/local';
import { expect, vi } from 'vitest';
import { hideAwsEnvironment, stubAwsEnvironment } from '../aws/aws-environment.fixture.ts';

/** Our example agent on its default store, which is S3. */
export const scriptedAgent: LocalAgentOptions = {
  command: [
    process.execPath,
    '--conditions=@art/source',
    join(import.meta.dirname, '../agents/scripted-agent.ts'),
  ],
};

/** An agent with a single handler that talks to the model that a request names. */
export const chatAgent: LocalAgentOptions = {
  command: [
    process.execPath,
    '--conditions=@art/source',
    join(import.meta.dirname, '../agents/chat-agent.ts'),
  ],
};

/** The published Python app with the same script. */
export function pythonAgent(executable: string): LocalAgentOptions {
  return { command: [executable, join(import.meta.dirname, 'python-agent.py')], env: { PYTHONUTF8: '1' } };
}

/** The published Python app that speaks RIP, with the same script. */
export function pythonRuntimeAgent(executable: string): LocalAgentOptions {
  return {
    command: [executable, join(import.meta.dirname, 'python-runtime-agent.py')],
    env: { PYTHONUTF8: '1' },
  };
}

/** A local AWS; sessions and this process find it by environment variables and nothing else. */
export async function startInteropRuntime(
  agents: Record<string, LocalAgentOptions>,
  warmPoolSize = 0,
  faults?: RuntimeFaults,
): Promise<LocalRuntime> {
  hideAwsEnvironment();
  const local = await startLocalRuntime({
    agents,
    warmPoolSize,
    faults,
    stopGraceMs: 5_000,
    s3: { autoCreateBuckets: true },
  });
  stubAwsEnvironment(local.endpoint);
  return local;
}

/** Every session was stopped by its caller, and no request was sent twice. */
export async function expectAllStopped(local: LocalRuntime, sessions: number): Promise<void> {
  await vi.waitFor(() => expect(local.metrics().liveSessions).toBe(0));
  const { startedSessions, endedSessions, leakedSessions, attempts } = local.metrics();
  expect({ startedSessions, stopped: endedSessions.stopped, leakedSessions }).toEqual({
    startedSessions: sessions,
    stopped: sessions,
    leakedSessions: 0,
  });
  const sentTwice = attempts.filter((attempt) => attempt.delivered > 1 || attempt.highestSdkAttempt > 1);
  expect(sentTwice).toEqual([]);
}
