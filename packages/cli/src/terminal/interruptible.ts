import type { CliContext } from '../cli-context.ts';
import { exitCodes } from '../exit-codes.ts';
import { type Interrupts, listenForInterrupts } from './interrupts.ts';

/**
 * Does work that a signal ends, whatever it is waiting for.
 * @returns what the work returns; for work that ended by throwing the signal's reason, 128 and the number of the signal
 */
export async function interruptible(
  context: Pick<CliContext, 'signals' | 'exit'>,
  work: (interrupts: Interrupts) => Promise<number>,
): Promise<number> {
  using interrupts = listenForInterrupts(context);
  try {
    return await work(interrupts);
  } catch (error) {
    if (interrupts.signal.aborted && error === interrupts.signal.reason)
      return interrupts.exitCode ?? exitCodes.interrupted;
    throw error;
  }
}
