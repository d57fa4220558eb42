import type { CliContext } from './cli-context.ts';

/** The context of a real run. */
export function processContext(): CliContext {
  // The reader has gone (`art dev | head`): the same as Ctrl-C, where without a listener it would be a crash.
  process.stdout.on('error', () => process.emit('SIGINT', 'SIGINT'));
  return {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
    signals: process,
    exit: (code) => process.exit(code),
  };
}
