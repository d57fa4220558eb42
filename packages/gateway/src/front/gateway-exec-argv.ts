const semiSpaceFlag = '--max-semi-space-size';
// A young generation that is collected often lets less garbage of finished calls pile up: about half of what stays in memory
// under long prompts.
const semiSpaceMegabytes = 4;

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
