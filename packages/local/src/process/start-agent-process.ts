import { closeSync } from 'node:fs';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { pause, type Semaphore, settleWithin } from '@art/async';
import { AgentStartError } from './agent-start-error.ts';
import { returnPort, takePort } from './free-port.ts';
import { GuardedProcess } from './guarded-process.ts';
import type { LocalAgent } from './local-agent.ts';
import { pingAgent } from './ping-agent.ts';
import type { ProcessGuard } from './process-guard.ts';
import { hostVariable, loopbackHost } from './session-environment.ts';
import { SessionLog } from './session-log.ts';

/** An agent that answered its first ping. */
export interface AgentProcess {
  process: GuardedProcess;
  port: number;
  log: SessionLog;
  /** From the spawn to the first healthy ping. */
  startMs: number;
}

export interface AgentStartContext {
  agent: LocalAgent;
  guard: ProcessGuard;
  limit: Semaphore;
  logDirectory: string;
  initTimeoutMs: number;
}

const firstPingAfterMs = 10;
const slowestPingEveryMs = 100;
const pingTimeoutMs = 2_000;
// A place among the concurrent starts is for processor time. An agent that hangs uses none: it must not block others
// for its whole initialisation time.
const longestStartSlotMs = 5_000;
const portAttempts = 3;

let starts = 0;

/**
 * Runs an agent until its first healthy ping.
 * @param killAfterMs kills it so long after its start, on purpose
 * @throws AgentStartError, or the signal's reason; no process is left either way.
 */
export async function startAgentProcess(
  context: AgentStartContext,
  signal: AbortSignal,
  killAfterMs?: number,
): Promise<AgentProcess> {
  const { starting } = await context.limit.run(signal, async () => {
    const begun = startOnFreePort(context, signal, killAfterMs);
    await settleWithin([begun], longestStartSlotMs);
    return { starting: begun };
  });
  return starting;
}

async function startOnFreePort(
  context: AgentStartContext,
  signal: AbortSignal,
  killAfterMs: number | undefined,
): Promise<AgentProcess> {
  for (let attempt = 1; ; attempt += 1) {
    starts += 1;
    const log = new SessionLog(context.logDirectory, starts);
    const port = await takePort();
    try {
      return await startOn(port, log, context, signal, killAfterMs);
    } catch (error) {
      if (signal.aborted) log.discard();
      // Another program may have taken the port since it was probed.
      if (attempt >= portAttempts || signal.aborted || !lostPort(error, log)) throw error;
      log.discard();
    }
  }
}

async function startOn(
  port: number,
  log: SessionLog,
  context: AgentStartContext,
  signal: AbortSignal,
  killAfterMs: number | undefined,
): Promise<AgentProcess> {
  const startedAtMs = performance.now();
  const process = await spawnAgent(port, log, context).catch((cause: unknown) => {
    returnPort(port);
    throw new AgentStartError({ kind: 'spawn', cause }, log);
  });
  void process.gone.then(() => returnPort(port));
  if (killAfterMs !== undefined) killLater(process, killAfterMs);
  try {
    await waitUntilHealthy(process, port, log, context.initTimeoutMs, signal);
    void warnOfExposure(context.agent, port, log);
    return { process, port, log, startMs: performance.now() - startedAtMs };
  } catch (error) {
    // It never became a session, so there is nothing that it could want to finish.
    await process.stop(0);
    throw error;
  }
}

async function spawnAgent(
  port: number,
  log: SessionLog,
  context: AgentStartContext,
): Promise<GuardedProcess> {
  const descriptor = log.openForChild();
  try {
    return await GuardedProcess.start({
      argv: context.agent.argv,
      cwd: context.agent.cwd,
      env: context.agent.environment(port),
      output: { kind: 'file', descriptor },
      guard: context.guard,
    });
  } finally {
    closeSync(descriptor);
  }
}

/** Agents that listen where they like; told once each. */
const warnedOf = new WeakSet<LocalAgent>();

/** An agent that does not read ART_HOST can be called by anybody on the network; its user should know. */
async function warnOfExposure(agent: LocalAgent, port: number, log: SessionLog): Promise<void> {
  const isAskedFor = agent.environment(port)[hostVariable] !== loopbackHost;
  if (isAskedFor || warnedOf.has(agent) || !(await isExposed(port))) return;
  warnedOf.add(agent);
  await log.note(
    `The agent listens at every address of this machine, so anybody on the network can call it. Make it listen at the host in the environment variable ${hostVariable} (${loopbackHost}), or set that variable to 0.0.0.0 for the agent if this is meant.`,
  );
}

function killLater(process: GuardedProcess, afterMs: number): void {
  const timer = setTimeout(() => process.kill(), afterMs);
  void process.exited.then(() => clearTimeout(timer));
}

async function waitUntilHealthy(
  process: GuardedProcess,
  port: number,
  log: SessionLog,
  initTimeoutMs: number,
  signal: AbortSignal,
): Promise<void> {
  const startedAtMs = performance.now();
  const elapsedMs = (): number => performance.now() - startedAtMs;
  // Ends the wait between two pings, and a ping under way, as soon as there is nothing to wait for.
  const over = new AbortController();
  const onAbort = (): void => over.abort();
  signal.addEventListener('abort', onAbort, { once: true });
  void process.exited.then(onAbort);
  const timer = setTimeout(onAbort, initTimeoutMs);
  let lastPing = 'not asked yet';
  try {
    for (let waitMs = firstPingAfterMs; ; waitMs = Math.min(waitMs * 1.3, slowestPingEveryMs)) {
      await pause(waitMs, { signal: over.signal }).catch(() => {});
      if (!over.signal.aborted) {
        const ping = await pingAgent(port, Math.min(pingTimeoutMs, initTimeoutMs), over.signal);
        if (ping.kind === 'answered' && process.exit === undefined && !signal.aborted) return;
        if (ping.kind === 'failed' && !over.signal.aborted) lastPing = ping.why;
      }
      signal.throwIfAborted();
      if (process.exit !== undefined) {
        throw new AgentStartError({ kind: 'exited', exit: process.exit, elapsedMs: elapsedMs() }, log);
      }
      if (over.signal.aborted) throw new AgentStartError({ kind: 'timeout', initTimeoutMs, lastPing }, log);
    }
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

function lostPort(error: unknown, log: SessionLog): boolean {
  if (!(error instanceof AgentStartError) || error.failure.kind !== 'exited') return false;
  return log
    .tail(50)
    .some((line) =>
      /EADDRINUSE|ART_PORT_TAKEN|address already in use|is taken by another program/i.test(line),
    );
}

const answerWithinMs = 1_000;

/** Whether a port of this machine answers at another address than loopback; `false` on a machine without a network. */
export async function isExposed(port: number): Promise<boolean> {
  const address = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')?.address;
  if (address === undefined) return false;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ port, host: address, timeout: answerWithinMs });
  socket.once('connect', () => resolve(true));
  socket.once('timeout', () => resolve(false));
  socket.once('error', () => resolve(false));
  try {
    return await promise;
  } finally {
    socket.destroy();
  }
}
