import { availableParallelism } from 'node:os';

// What Node takes by itself lets the garbage of finished calls pile up to twice as much; less than this costs more than it
// saves.
const youngGeneration = { flag: '--max-semi-space-size', value: '=16' };
// Threads that help the collector have no core to help on: they only make its pauses longer.
const oneThread = { flag: '--single-threaded-gc', value: '' };

export interface GatewayExecArgvOptions {
  /** @default `NODE_OPTIONS` of the environment */
  nodeOptions?: string | undefined;
  /** How many cores the process may use. @default what the system says */
  cores?: number | undefined;
}

/**
 * Node's own arguments for a gateway process: the given ones, a bound for the young generation and, on a single core, a
 * collector without threads; but none that the operator has set, there or in `NODE_OPTIONS`.
 */
export function gatewayExecArgv(
  execArgv: readonly string[],
  {
    nodeOptions = process.env['NODE_OPTIONS'] ?? '',
    cores = availableParallelism(),
  }: GatewayExecArgvOptions = {},
): string[] {
  // Node takes underscores for dashes in the flags of V8, and "no-" before them.
  const given = [...execArgv, ...nodeOptions.split(/\s+/)].map((argument) =>
    argument.replaceAll('_', '-').replace(/^--no-/, '--'),
  );
  const wanted = cores === 1 ? [youngGeneration, oneThread] : [youngGeneration];
  const missing = wanted.filter(({ flag }) => !given.some((argument) => argument.startsWith(flag)));
  return [...execArgv, ...missing.map(({ flag, value }) => flag + value)];
}
