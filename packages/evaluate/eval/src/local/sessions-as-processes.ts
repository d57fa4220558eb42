import type { CleanupStack } from '@art/ground';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileObjectBackend, observedBackend, startLocalRuntime } from '@art/local';
import { FileResultStore } from '@art/store';
import type { LocalCommand, LocalSessions } from './local-sessions.ts';

const agentName = 'agent';
const bucket = 'art-local';
const tailBytes = 16_000;

/** Each session its own process, as on AgentCore. */
export async function sessionsAsProcesses(
  command: LocalCommand,
  {
    wire = 's3',
    warm,
    platformVersion,
  }: {
    wire: 's3' | 'rip' | undefined;
    warm: number | undefined;
    platformVersion: 'V1' | 'V2' | undefined;
  },
  stack: CleanupStack,
): Promise<LocalSessions> {
  const root = await mkdtemp(join(tmpdir(), 'art-eval-results-'));
  stack.defer(() => rm(root, { recursive: true, force: true, maxRetries: 10 }));
  const storedAt = new Map<string, number>();
  const backend = observedBackend(new FileObjectBackend({ root }), {
    onWrite: ({ at, outcome }) => {
      // `{exp_id}/{input_id}/{session_id}.json`
      if (outcome === 'done')
        storedAt.set(at.key.slice(at.key.lastIndexOf('/') + 1, -'.json'.length), Date.now());
    },
    onDelete: () => undefined,
  });
  await backend.createBucket(bucket);
  const runtime = stack.use(
    await startLocalRuntime({
      agents: { [agentName]: command },
      warmPoolSize: warm,
      platformVersion,
      s3: { backend, autoCreateBuckets: false },
    }),
  );
  return {
    client: {
      runtime: runtime.runtime(agentName),
      agentRuntimeArn: runtime.arnOf(agentName),
      ...(wire === 's3' && {
        store: new FileResultStore({ root, durability: 'process' }),
        bucket,
        expId: 'eval',
      }),
    },
    storedAtMs: (sessionId) => {
      const atMs = storedAt.get(sessionId);
      storedAt.delete(sessionId);
      return atMs;
    },
    logOf: async (sessionId) => {
      const log = await readFile(join(runtime.logDir, agentName, `${sessionId}.log`), 'utf8');
      return log.slice(-tailBytes);
    },
  };
}
