import type { CleanupStack } from '@art/ground';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AgentServer, startAgentServer } from '@art/local';
import type { AgentRuntime } from '@art/protocol';
import type { LocalCommand, LocalSessions } from './local-sessions.ts';

/** One process for all sessions, which have their results until they are asked for them. */
export async function sessionsInOneServer(
  command: LocalCommand,
  stack: CleanupStack,
): Promise<LocalSessions> {
  const logDir = await mkdtemp(join(tmpdir(), 'art-eval-server-'));
  stack.defer(() => rm(logDir, { recursive: true, force: true, maxRetries: 10 }));
  const closing = new AbortController();
  let starting: Promise<AgentServer> | undefined;
  const start = (): Promise<AgentServer> => {
    const started = startAgentServer({ ...command, logDir, signal: closing.signal });
    starting = started;
    // What it was at work on is lost with it, and tried again by the next one.
    const forget = (): void => {
      if (starting === started) starting = undefined;
    };
    started.then(async ({ ended }) => ended.then(forget), forget);
    return started;
  };
  stack.defer(async () => {
    closing.abort();
    await (await starting?.catch(() => undefined))?.close();
  });
  const current = async (): Promise<AgentRuntime> => (await (starting ?? start())).runtime;
  // An agent that does not start says so before any task is sent.
  await start();
  return {
    client: {
      results: 'session',
      runtime: {
        isLocal: true,
        invoke: async (request, call) => (await current()).invoke(request, call),
        stop: () => Promise.resolve({ kind: 'stopped' }),
      },
    },
  };
}
