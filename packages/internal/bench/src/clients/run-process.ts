import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

export interface ProcessTask {
  command: readonly [string, ...string[]];
  /** Written to its standard input as JSON. */
  input: unknown;
  env: NodeJS.ProcessEnv;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/** Runs a process to its end and answers the JSON that it printed. */
export async function runProcess({ command, input, env, timeoutMs, signal }: ProcessTask): Promise<unknown> {
  const [executable, ...parameters] = command;
  const child = spawn(executable, parameters, { env, timeout: timeoutMs, killSignal: 'SIGKILL', signal });
  const ended = new Promise<number | NodeJS.Signals | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, killedBy) => resolve(code ?? killedBy));
  });
  // A process that died early closes its input; how it ended tells more than the broken pipe.
  child.stdin.on('error', () => undefined);
  child.stdin.end(JSON.stringify(input));
  const [output, complaints, end] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (end !== 0) throw new Error(`${command.join(' ')} ended with ${end}:\n${complaints.slice(-4_000)}`);
  return JSON.parse(output);
}
