import { constants } from 'node:os';
import type { CliContext } from '../cli-context.ts';
import { exitCodes } from '../exit-codes.ts';

const watched = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const satisfies readonly NodeJS.Signals[];

/**
 * One Ctrl-C may arrive twice: the terminal sends SIGINT to the whole process group, and npx passes on the one that it
 * got itself.
 */
const samePressMs = 500;

/** The first signal asks the command to end, a later one ends the process at once. */
export interface Interrupts extends Disposable {
  /** Aborts at the first signal. */
  readonly signal: AbortSignal;
  /**
   * Aborts at the second signal. A command that asks for it ends in good order at the first one, and at once at the second; only a third
   * one ends the process.
   */
  readonly urgent: AbortSignal;
  /** 128 and the number of the first signal; undefined while there was none. */
  readonly exitCode: number | undefined;
}

/** @param now monotonic milliseconds @default performance.now */
export function listenForInterrupts(
  context: Pick<CliContext, 'signals' | 'exit'>,
  now: () => number = () => performance.now(),
): Interrupts {
  const controller = new AbortController();
  let urgent: AbortController | undefined;
  let first: { exitCode: number; atMs: number } | undefined;
  const onSignal = (name: NodeJS.Signals): void => {
    if (first === undefined) {
      first = { exitCode: 128 + constants.signals[name], atMs: now() };
      controller.abort(new Error(`interrupted by ${name}`));
    } else if (now() - first.atMs >= samePressMs) {
      if (urgent === undefined || urgent.signal.aborted) context.exit(first.exitCode);
      first.atMs = now();
      urgent?.abort(new Error(`interrupted again by ${name}`));
    }
  };
  for (const name of watched) context.signals.on(name, onSignal);
  return {
    signal: controller.signal,
    get urgent() {
      return (urgent ??= new AbortController()).signal;
    },
    get exitCode() {
      return first?.exitCode;
    },
    [Symbol.dispose]: () => {
      for (const name of watched) context.signals.off(name, onSignal);
    },
  };
}

/**
 * Serves until a signal ends it, which is the ordinary end of a server, also while it starts.
 * @returns what the work returns
 */
export function serving(
  context: Pick<CliContext, 'signals' | 'exit'>,
  work: (interrupts: Interrupts) => Promise<number>,
): Promise<number> {
  return interruptible(context, work, exitCodes.ok);
}

/**
 * Does work that a signal ends, whatever it is waiting for.
 * @param endedCode exit code of work that ended by throwing the signal's reason @default 128 and the number of the signal
 * @returns what the work returns, or that
 */
export async function interruptible(
  context: Pick<CliContext, 'signals' | 'exit'>,
  work: (interrupts: Interrupts) => Promise<number>,
  endedCode?: number,
): Promise<number> {
  using interrupts = listenForInterrupts(context);
  try {
    return await work(interrupts);
  } catch (error) {
    const reasons = [interrupts.signal.reason, interrupts.urgent.reason] as unknown[];
    if (interrupts.signal.aborted && reasons.includes(error))
      return endedCode ?? interrupts.exitCode ?? exitCodes.interrupted;
    throw error;
  }
}

/** Resolves when the signal aborts. */
export async function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => resolve(), { once: true });
  await promise;
}
