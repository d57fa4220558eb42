import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';

/** A process that a test has started. */
export interface AgentProcess {
  process: ChildProcess;
  /** Every line of its log so far. */
  lines: Record<string, unknown>[];
  /** Where it listens. */
  url: string;
  /** Its exit code, once its output has been read to the end. */
  exit: Promise<number | null>;
}

/** Starts a fixture that runs an agent, and waits until it listens. Killed when the test ends. */
export async function startAgentProcess(
  fixture: string,
  env: Record<string, string> = {},
): Promise<AgentProcess> {
  const agent = await spawnAgentProcess(fixture, env);
  onTestFinished(() => {
    agent.process.kill('SIGKILL');
  });
  return agent;
}

/** Starts a fixture that runs an agent, and waits until it listens. Its caller has to kill it. */
export async function spawnAgentProcess(
  fixture: string,
  env: Record<string, string> = {},
): Promise<AgentProcess> {
  const child = spawn(process.execPath, ['--conditions=@art/source', fixture], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'close').then(([code]) => code as number | null);
  const lines: Record<string, unknown>[] = [];
  const listening = Promise.withResolvers<string>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const entry = JSON.parse(line) as Record<string, unknown>;
    lines.push(entry);
    const url = /Server listening at (http:\S+)/.exec(String(entry['message']))?.[1];
    if (url !== undefined) listening.resolve(url);
  });
  void exit.then((code) => listening.reject(new Error(`The agent ended with code ${code}`)));
  return { process: child, lines, url: await listening.promise, exit };
}
