const semiSpaceFlag = '--max-semi-space-size';
// What Node takes by itself lets the garbage of finished calls pile up to twice as much; less than this costs more than it
// saves.
const semiSpaceMegabytes = 16;

/**
 * Node's own arguments for a gateway process: the given ones, and a small young generation unless the operator has set its
 * size, there or in `NODE_OPTIONS`.
 * @param nodeOptions @default `NODE_OPTIONS` of the environment
 */
export function gatewayExecArgv(
  execArgv: readonly string[],
  nodeOptions: string = process.env['NODE_OPTIONS'] ?? '',
): string[] {
  // Node takes underscores for dashes in the flags of V8.
  const given = [...execArgv, ...nodeOptions.split(/\s+/)].map((argument) => argument.replaceAll('_', '-'));
  if (given.some((argument) => argument.startsWith(semiSpaceFlag))) return [...execArgv];
  return [...execArgv, `${semiSpaceFlag}=${semiSpaceMegabytes}`];
}
