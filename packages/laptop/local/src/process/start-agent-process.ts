import { closeSync } from 'node:fs';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import {
  arrivedEvents,
  linkSignals,
  pause,
  type Semaphore,
  settleWithin,
  describeThrown,
  makeDirectory,
} from '@art/ground';
import { AgentStartError } from './agent-start-error.ts';
import { isGivenOut, isPortFree, returnPort, takePort, takeThisPort, tellsTakenPort } from './free-port.ts';
import { describeExit, GuardedProcess } from './guarded-process.ts';
import { pingAgent } from './ping-agent.ts';
import type { ProcessGuard } from './process-guard.ts';
import { hostVariable, loopbackHost } from './session-environment.ts';
import { SessionLog } from './session-log.ts';

/** An agent that answered its first ping. */
export interface AgentProcess {
  process: GuardedProcess;
  port: number;
  log: SessionLog;
}

/** Start of an agent, and what all starts of a runtime share. */
export interface AgentStart {
  argv: readonly string[];
  cwd: string;
  /** The environment of a process that is to listen on a port. */
  environment(port: number): NodeJS.ProcessEnv;
  guard: ProcessGuard;
  limit: Semaphore;
  logDirectory: string;
  initTimeoutMs: number;
  /** Where an agent listens that reads no `PORT`, as AWS's class in Python. @default 8080, of AgentCore's contract */
  contractPort?: number | undefined;
  /** Asked once, before a session; none where there is no hook. */
  warmupPath?: string | undefined;
}

const firstPingAfterMs = 10;
const slowestPingEveryMs = 100;
const pingTimeoutMs = 2_000;
// A place among the concurrent starts is for processor time. An agent that hangs uses none: it must not block others
// for its whole initialisation time.
const longestStartSlotMs = 5_000;
const portAttempts = 3;
const portFreeEveryMs = 100;
const portFreedWithinMs = 5_000;
const contractPortOf = ({ contractPort = 8080 }: AgentStart): number => contractPort;

let starts = 0;

/** Starts of an agent that listens on {@link AgentStart.contractPort} whatever `PORT` says: one session at a time. */
const ignoringPort = new WeakSet<AgentStart>();
/** An agent that was found there. */
class ListensElsewhere extends Error {}

/**
 * Runs an agent until its first healthy ping.
 * @param killAfterMs kills it so long after its start, on purpose
 * @throws AgentStartError, or the signal's reason; no process is left either way.
 */
export async function startAgentProcess(
  start: AgentStart,
  signal: AbortSignal,
  killAfterMs?: number,
): Promise<AgentProcess> {
  const { starting } = await start.limit.run(signal, async () => {
    const begun = startOnFreePort(start, signal, killAfterMs);
    await settleWithin([begun], longestStartSlotMs);
    return { starting: begun };
  });
  return starting;
}

async function startOnFreePort(
  start: AgentStart,
  signal: AbortSignal,
  killAfterMs: number | undefined,
): Promise<AgentProcess> {
  await makeDirectory(start.logDirectory, 0o700);
  for (let attempt = 1; ; attempt += 1) {
    starts += 1;
    const log = new SessionLog(start.logDirectory, starts);
    const port = ignoringPort.has(start) ? await waitForContractPort(log, start, signal) : await takePort();
    try {
      return await startOn(port, log, start, signal, killAfterMs);
    } catch (error) {
      if (signal.aborted) log.discard();
      // Another program may have taken the port since it was probed.
      const hasLost = lostPort(error, log, port);
      const ignoresPort =
        error instanceof ListensElsewhere || (!hasLost && lostPort(error, log, contractPortOf(start)));
      if (ignoresPort && !signal.aborted) ignoringPort.add(start);
      else if (attempt >= portAttempts || signal.aborted || !hasLost) throw error;
      log.discard();
    }
  }
}

/**
 * Waits while another session of this process has the port.
 * @throws AgentStartError where it is not free within the time of a start; the signal's reason
 */
async function waitForContractPort(log: SessionLog, start: AgentStart, signal: AbortSignal): Promise<number> {
  const contractPort = contractPortOf(start);
  for (let waitedMs = 0; !(await takeThisPort(contractPort)); waitedMs += portFreeEveryMs) {
    if (waitedMs >= (isGivenOut(contractPort) ? start.initTimeoutMs : portFreedWithinMs)) {
      const why = `The agent listens on port ${contractPort} whatever PORT says, and another session or program has that port. Have one session at a time (--concurrency 1), or have the agent listen on the port in the environment variable PORT.`;
      throw new AgentStartError(why, log);
    }
    await pause(portFreeEveryMs, { signal });
  }
  return contractPort;
}

async function startOn(
  port: number,
  log: SessionLog,
  start: AgentStart,
  signal: AbortSignal,
  killAfterMs: number | undefined,
): Promise<AgentProcess> {
  const contractPort = contractPortOf(start);
  const isElsewhere = async (): Promise<boolean> =>
    (await pingAgent(contractPort, pingTimeoutMs, signal)).kind === 'answered';
  const mayBeElsewhere = port !== contractPort && (await isPortFree(contractPort));
  const process = await spawnAgent(port, log, start).catch((cause: unknown) => {
    returnPort(port);
    const why = `The agent's process could not be started: ${describeThrown(cause).message}. Check command and cwd.`;
    throw new AgentStartError(why, log, { cause });
  });
  void process.gone.then(() => returnPort(port));
  if (killAfterMs !== undefined) killLater(process, killAfterMs);
  try {
    await waitUntilHealthy(
      process,
      port,
      log,
      start.initTimeoutMs,
      signal,
      mayBeElsewhere ? isElsewhere : undefined,
    );
    if (start.warmupPath !== undefined)
      await warmUp(`http://${loopbackHost}:${port}${start.warmupPath}`, log, signal);
    void warnOfExposure(start, port, log);
    return { process, port, log };
  } catch (error) {
    // It never became a session, so there is nothing that it could want to finish.
    await process.stop(0);
    throw error;
  }
}

// Source: AgentCore developer guide, lifecycle hooks.
const warmupTimeoutMs = 120_000;

/** @throws AgentStartError for any answer but 2xx, as the service then does not create the runtime; the signal's reason */
async function warmUp(url: string, log: SessionLog, signal: AbortSignal): Promise<void> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(warmupTimeoutMs)]);
  const answer = await fetch(url, { method: 'POST', signal: within })
    .then(async (response) => ({
      ok: response.ok,
      said: `${response.status} ${(await response.text()).slice(0, 500)}`,
    }))
    .catch((error: unknown) => ({ ok: false, said: describeThrown(error).message }));
  signal.throwIfAborted();
  if (!answer.ok) throw new AgentStartError(`The warm-up failed: POST ${url} came to ${answer.said}.`, log);
}

async function spawnAgent(port: number, log: SessionLog, start: AgentStart): Promise<GuardedProcess> {
  const descriptor = log.openForChild();
  try {
    return await GuardedProcess.start({
      argv: start.argv,
      cwd: start.cwd,
      env: start.environment(port),
      output: descriptor,
      guard: start.guard,
    });
  } finally {
    closeSync(descriptor);
  }
}

/** Agents that listen where they like; told once each. */
const warnedOf = new WeakSet<AgentStart>();

/** An agent that does not read ART_HOST can be called by anybody on the network; its user should know. */
async function warnOfExposure(start: AgentStart, port: number, log: SessionLog): Promise<void> {
  const isAskedFor = start.environment(port)[hostVariable] !== loopbackHost;
  if (isAskedFor || warnedOf.has(start) || !(await isExposed(port))) return;
  warnedOf.add(start);
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
  isElsewhere?: () => Promise<boolean>,
): Promise<void> {
  const startedAtMs = performance.now();
  // Ends the wait between two pings, and a ping under way, as soon as there is nothing to wait for.
  const over = linkSignals(signal);
  let isWaiting = true;
  let lastPing = 'not asked yet';
  void process.exited.then((exit) => {
    if (!isWaiting) return;
    const elapsedMs = Math.round(performance.now() - startedAtMs);
    const why = `The agent's process ${describeExit(exit)} after ${elapsedMs} ms, before GET /ping answered 200 on its PORT.`;
    over.abort(new AgentStartError(why, log, { exit }));
  });
  const timer = setTimeout(() => {
    const why = `GET /ping on the agent's PORT did not answer 200 within ${initTimeoutMs} ms (${lastPing}). The agent must listen on the port in the environment variable PORT.`;
    over.abort(new AgentStartError(why, log));
  }, initTimeoutMs);
  try {
    for (let waitMs = firstPingAfterMs; ; waitMs = Math.min(waitMs * 1.3, slowestPingEveryMs)) {
      await pause(waitMs, { signal: over.signal });
      const ping = await pingAgent(port, Math.min(pingTimeoutMs, initTimeoutMs), over.signal);
      over.signal.throwIfAborted();
      if (ping.kind === 'answered') return;
      lastPing = ping.why;
      if (await isElsewhere?.()) throw new ListensElsewhere();
    }
  } finally {
    isWaiting = false;
    clearTimeout(timer);
    over.unlink();
  }
}

function lostPort(error: unknown, log: SessionLog, port: number): boolean {
  return (
    error instanceof AgentStartError &&
    error.exit !== undefined &&
    tellsTakenPort(log.tail(50).join('\n'), port)
  );
}

const answerWithinMs = 1_000;

/** True if a port of this machine answers at another address than loopback; `false` on a machine without a network. */
export async function isExposed(port: number): Promise<boolean> {
  const address = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')?.address;
  if (address === undefined) return false;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ port, host: address, timeout: answerWithinMs });
  socket.once('connect', () => resolve(true));
  socket.once('timeout', () => void arrivedEvents().then(() => resolve(false)));
  socket.once('error', () => resolve(false));
  try {
    return await promise;
  } finally {
    socket.destroy();
  }
}
