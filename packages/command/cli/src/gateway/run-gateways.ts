import { join } from 'node:path';
import { pause } from '@art/ground';
import type { GatewayOptions } from '@art/gateway';
import type { CliContext, SelfProcess } from '../cli-context.ts';
import { exitCodes } from '../exit-codes.ts';
import { serving } from '../terminal/interrupts.ts';

const restartDelayMs = 1_000;

/**
 * Runs several independent gateways, each in its own process with a port and a part of the captures of its own. Each
 * tells its own address. One that ends by itself is started again, at the same port; where one cannot start, all are ended.
 * @returns the exit code: that of the first one that could not start, else 0
 */
export function runGateways(
  count: number,
  resolved: GatewayOptions,
  context: CliContext & Required<Pick<CliContext, 'startSelf'>>,
): Promise<number> {
  return serving(context, async ({ signal: interrupted }) => {
    const running = new Set<SelfProcess>();
    const failed = new AbortController();
    const over = AbortSignal.any([interrupted, failed.signal]);
    let exitCode: number = exitCodes.ok;
    const keepRunning = async (index: number): Promise<void> => {
      const args = ownArguments(index, resolved);
      while (!over.aborted) {
        const child = context.startSelf(args);
        running.add(child);
        const { code, signal, lastedMs } = await child.ended;
        running.delete(child);
        if (over.aborted) return;
        const how = `ended ${Math.round(lastedMs)} ms after its start ${signal === null ? `with exit code ${code}` : `by ${signal}`}`;
        if (code === exitCodes.usage || code === exitCodes.infrastructure || lastedMs < restartDelayMs) {
          context.stderr.write(
            `Gateway ${index} ${how}. One that cannot start ends them all: see what it said above, mend that and start them again.\n`,
          );
          exitCode = code ?? exitCodes.infrastructure;
          failed.abort();
          return;
        }
        context.stderr.write(`Gateway ${index} ${how}, and is started again.\n`);
        await pause(restartDelayMs, { signal: over }).catch(() => undefined);
      }
    };
    over.addEventListener('abort', () => {
      for (const child of running) child.end();
    });
    await Promise.all(Array.from({ length: count }, (_, index) => keepRunning(index)));
    return exitCode;
  });
}

/** Arguments of one gateway, behind the command line that it shares with the others. */
function ownArguments(index: number, { port = 9_090, store }: GatewayOptions): string[] {
  const args = ['--processes', '1', '--port', String(port === 0 ? 0 : port + index)];
  if (store !== undefined && 'directory' in store && typeof store.directory === 'string')
    args.push('--db-path', join(store.directory, `gateway-${index}`));
  return args;
}
