import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { arrivedEvents, pause, settleWithin } from '@art/ground';
import { execLine, returnPort, startFailureReason, takePort, tellsTakenPort } from '@art/local';
import { ask } from './ask.ts';
import type { Container } from './container.ts';
import { guardGroup } from './guard-group.ts';

const pingEveryMs = 50;
const logLines = 20;
const portAttempts = 3;
const itWrote = 'It wrote: ';

export interface CheckedProcess {
  readonly url: string;
  /** From the start to the first ping with status 200. */
  readonly startMs: number;
  /** Undefined while it lives. */
  exit(): { code: number | null; signal: NodeJS.Signals | null } | undefined;
  /** Lines that it wrote last. */
  lastLines(): string;
  /** Sends SIGTERM to the process that was started, and to no child of it, as AgentCore does. */
  terminate(): void;
  /** True if it has ended within the time. */
  endedWithin(waitMs: number): Promise<boolean>;
  /** Ends it and everything that it has started. */
  kill(): Promise<void>;
}

interface StartOptions {
  cwd: string;
  signal: AbortSignal;
  initTimeoutMs?: number | undefined;
}

/**
 * Starts an agent in its own process group, and waits for its first answer to a ping.
 * @throws Error with the end of its output where none comes; no process is left then, nor where the signal aborts
 */
export async function startCheckedProcess(
  start: string | readonly string[] | Container,
  env: NodeJS.ProcessEnv,
  options: StartOptions,
): Promise<CheckedProcess> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await takePort();
    try {
      return await startOn(port, start, env, options);
    } catch (error) {
      // Another program may have taken the port since it was probed.
      const [, wrote = ''] = String(error).split(itWrote);
      const lostPort = tellsTakenPort(wrote, port) && !options.signal.aborted;
      if (attempt >= portAttempts || !lostPort) throw error;
    }
  }
}

async function startOn(
  port: number,
  start: string | readonly string[] | Container,
  env: NodeJS.ProcessEnv,
  { cwd, signal, initTimeoutMs = 30_000 }: StartOptions,
): Promise<CheckedProcess> {
  const container = typeof start === 'object' && 'removal' in start ? start : undefined;
  const command = container?.command(port) ?? (start as string | readonly string[]);
  const startedAtMs = performance.now();
  const options = { cwd, env: { ...env, PORT: String(port) }, detached: true, stdio: 'pipe' } as const;
  const child: ChildProcess =
    typeof command === 'string'
      ? spawn(execLine(command), { ...options, shell: true })
      : spawn(command[0]!, command.slice(1), options);
  const release = guardGroup(child, container?.removal);
  let output = '';
  const keep = (part: Buffer): void => {
    output = (output + part.toString('utf8')).slice(-20_000);
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', (error) => {
      keep(Buffer.from(error.message));
      resolve();
    });
  });
  void gone.then(() => returnPort(port));
  let hasFailed = false;
  child.once('error', () => (hasFailed = true));
  const hasEnded = (): boolean => hasFailed || child.exitCode !== null || child.signalCode !== null;
  const agent: CheckedProcess = {
    url: `http://127.0.0.1:${port}`,
    startMs: 0,
    exit: () => (hasEnded() ? { code: child.exitCode, signal: child.signalCode } : undefined),
    lastLines: () => output.trimEnd().split('\n').slice(-logLines).join('\n'),
    terminate: () => void child.kill('SIGTERM'),
    endedWithin: async (waitMs) => {
      await settleWithin([gone], waitMs);
      await arrivedEvents();
      return hasEnded();
    },
    kill: async () => {
      if (container !== undefined) await remove(container);
      killGroup(child);
      await gone;
      release();
    },
  };
  while (performance.now() - startedAtMs < initTimeoutMs && !hasEnded() && !signal.aborted) {
    const answer = await ask(`${agent.url}/ping`, { timeoutMs: 2_000 }).catch(() => undefined);
    if (answer?.status === 200) return { ...agent, startMs: performance.now() - startedAtMs };
    await pause(pingEveryMs);
  }
  await agent.kill();
  signal.throwIfAborted();
  const how = agent.exit()!;
  const reason = startFailureReason(output.split('\n'));
  throw new Error(
    `Expected an answer to /ping on port ${port}, the one in the environment variable PORT, within ${initTimeoutMs} ms. ` +
      `The agent ${how.signal === 'SIGKILL' ? 'did not give one' : `ended with ${how.signal ?? `code ${how.code}`}`}. ` +
      `${itWrote}${agent.lastLines() || 'nothing'}${reason === undefined ? '' : `\n${reason}`}`,
  );
}

async function remove({ removal: [program, ...args] }: Container): Promise<void> {
  await promisify(execFile)(program, args).catch(() => undefined);
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The whole group has ended.
  }
}
