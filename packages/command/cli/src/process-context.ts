import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { CliContext, SelfProcess } from './cli-context.ts';

const askLauncherMs = 500;

/** The context of a real run. */
export function processContext(): CliContext {
  // The reader has gone (`art dev | head`): the same as Ctrl-C, where without a listener it would be a crash.
  process.stdout.on('error', () => process.emit('SIGINT', 'SIGINT'));
  // Started by itself for one of several gateways: without the process that did, nobody would end it.
  if (process.connected) {
    process.once('disconnect', () => process.emit('SIGTERM', 'SIGTERM'));
    process.channel?.unref();
  }
  if (process.env['npm_command'] !== undefined) endWithLauncher();
  return {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
    signals: process,
    exit: (code) => process.exit(code),
    startSelf,
  };
}

/** Npm and npx start a shell around this process, and end that shell alone where they get a signal. */
function endWithLauncher(): void {
  const { ppid } = process;
  const asking = setInterval(() => {
    if (process.ppid === ppid) return;
    clearInterval(asking);
    process.emit('SIGTERM', 'SIGTERM');
  }, askLauncherMs).unref();
}

function startSelf(args: readonly string[]): SelfProcess {
  const startedMs = performance.now();
  const child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1), ...args], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'close').then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
    lastedMs: performance.now() - startedMs,
  }));
  return { ended, end: () => void child.kill('SIGTERM') };
}
