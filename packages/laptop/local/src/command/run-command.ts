import { describeThrown } from '@art/ground';
import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import { GuardedProcess, type ProcessExit } from '../process/guarded-process.ts';
import type { ProcessGuard } from '../process/process-guard.ts';
import type { CommandEvent } from './command-event-frame.ts';

export interface RunCommand {
  argv: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  guard: ProcessGuard;
  timeoutMs: number;
  stopGraceMs: number;
  /** Ends the command early: the caller has hung up or the session is ending. */
  signal: AbortSignal;
  /** Awaited, so that a slow reader slows the command down instead of filling memory. */
  emit: (event: CommandEvent) => Promise<void>;
}

// The service's own failures and time-outs have no exit code of a process.
const platformFailure = -1;
// As shells report a process that a signal ended.
const signalExitBase = 128;

/** Runs a command beside an agent and reports its output and its end. Nothing of it is left when this resolves. */
export async function runCommand(options: RunCommand): Promise<void> {
  const { emit, signal } = options;
  await emit({ contentStart: {} });
  let command: GuardedProcess;
  try {
    command = await GuardedProcess.start({ ...options, output: 'pipe' });
  } catch (error) {
    await emit({ contentDelta: { stderr: describeThrown(error).message } });
    await emit({ contentStop: { exitCode: platformFailure, status: 'COMPLETED' } });
    return;
  }
  let timedOut = false;
  const end = (): void => void command.stop(options.stopGraceMs);
  const timer = setTimeout(() => {
    timedOut = true;
    end();
  }, options.timeoutMs);
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  try {
    await Promise.all([
      report(command.stdout, (stdout) => emit({ contentDelta: { stdout } })),
      report(command.stderr, (stderr) => emit({ contentDelta: { stderr } })),
    ]);
    const exit = await command.gone;
    await emit({
      contentStop: timedOut
        ? { exitCode: platformFailure, status: 'TIMED_OUT' }
        : { exitCode: exitCodeOf(exit), status: 'COMPLETED' },
    });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
    // A reader that failed leaves a command that still runs.
    await command.stop(options.stopGraceMs);
  }
}

async function report(stream: Readable | null, emit: (text: string) => Promise<void>): Promise<void> {
  // A character may be split between two chunks; a stream with an encoding puts it together.
  for await (const text of (stream?.setEncoding('utf8') ?? []) as AsyncIterable<string>) await emit(text);
}

function exitCodeOf(exit: ProcessExit): number {
  if (exit.signal !== null) return signalExitBase + constants.signals[exit.signal];
  return exit.code ?? platformFailure;
}

/** Command that `AgentCoreS3Session` of the Python toolkit (0.2.0) has every session run, to start it before its rollout. */
const warmUp = ['echo', 'hello'];

export function isWarmUp(argv: readonly string[]): boolean {
  return argv.length === warmUp.length && argv.every((word, at) => word === warmUp[at]);
}

/** Says what the warm-up would print. Nothing is run, so it is safe where commands are not served. */
export async function answerWarmUp(emit: (event: CommandEvent) => Promise<void>): Promise<void> {
  await emit({ contentStart: {} });
  await emit({ contentDelta: { stdout: 'hello\n' } });
  await emit({ contentStop: { exitCode: 0, status: 'COMPLETED' } });
}
