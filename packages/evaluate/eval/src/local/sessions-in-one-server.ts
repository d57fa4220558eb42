import type { CleanupStack } from '@art/ground';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startAgentServer } from '@art/local';
import type { LocalCommand, LocalSessions } from './local-sessions.ts';

/** One process for all sessions, which have their results until they are asked for them. */
export async function sessionsInOneServer(
  command: LocalCommand,
  stack: CleanupStack,
): Promise<LocalSessions> {
  const logDir = await mkdtemp(join(tmpdir(), 'art-eval-server-'));
  stack.defer(() => rm(logDir, { recursive: true, force: true, maxRetries: 10 }));
  // An agent that does not start says so before any task is sent.
  const server = stack.use(await startAgentServer({ ...command, logDir, whenEnded: 'restart' }));
  return { client: { results: 'session', runtime: server.runtime } };
}
