import { resolve } from 'node:path';
import type { FaultInjection } from '@art/local/faults';
import {
  FileObjectBackend,
  type LocalAgentOptions,
  type LocalRuntime,
  type LocalRuntimeOptions,
  MemoryObjectBackend,
  startLocalRuntime,
} from '@art/local';
import { ArtError, describeThrown, refuseOption } from '@art/ground';
import { defaultDevPort, type DevOptions } from './dev-options.ts';

/**
 * Starts the local AWS.
 * @throws ArtError `ART_INVALID_OPTION` when objects cannot be kept in the folder for them, `ART_PORT_TAKEN` when the port that was
 * asked for is taken
 */
export async function startDevRuntime(
  options: DevOptions,
  agent: Pick<LocalAgentOptions, 'command' | 'env'>,
  cwd: string,
  faults: FaultInjection | undefined,
): Promise<LocalRuntime> {
  const { port, data, logDir, newSessionsPerSecond, maxSessions, bucket, autoBuckets } = options;
  const backend =
    data === undefined ? new MemoryObjectBackend() : new FileObjectBackend({ root: resolve(cwd, data) });
  await backend.createBucket(bucket).catch((cause: unknown) => {
    refuseOption('--data', 'a folder that can be written', data, {
      advice: describeThrown(cause).message,
      cause,
    });
  });
  const settings: LocalRuntimeOptions = {
    agents: { [options.name]: { ...agent, cwd } },
    region: options.region,
    logDir: logDir === undefined ? undefined : resolve(cwd, logDir),
    idleTimeoutMs: options.idleTimeoutMs,
    initTimeoutMs: options.initTimeoutMs,
    stopGraceMs: options.stopGraceMs,
    warmPoolSize: options.warm,
    platformVersion: options.platformVersion,
    allowCommands: options.allowCommands,
    faults,
    limits: { newSessionsPerSecond, maxLiveSessions: maxSessions },
    // A misspelt bucket must fail here as it will fail on AWS.
    s3: { backend, autoCreateBuckets: autoBuckets },
  };
  try {
    return await startLocalRuntime({ ...settings, port: port ?? defaultDevPort });
  } catch (cause) {
    const { syscall, code } = cause as NodeJS.ErrnoException;
    if (syscall !== 'listen') throw cause;
    if (port === undefined) return startLocalRuntime({ ...settings, port: 0 });
    const why = code === 'EADDRINUSE' ? 'another program listens on it' : `the system says ${code}`;
    throw new ArtError({
      code: 'ART_PORT_TAKEN',
      message: `Expected port ${port} of 127.0.0.1 to be free, but ${why}. Choose another --port; 0 takes a free one.`,
      cause,
    });
  }
}
