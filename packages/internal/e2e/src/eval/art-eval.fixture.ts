import type { SampleRecord } from '@art/trajectories';
import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runCli } from '@art/cli';
import { readSamples } from '@art/eval/records';
import { isThorough } from '@art/tooling/thorough';
import { onTestFinished } from 'vitest';

const main = join(import.meta.dirname, '../../../../command/cli/src/main.ts');
export const nodeOptions = '--conditions=@art/source --no-warnings';
// Agents of a command that runs in this process are children of it, and load sources, too.
process.env['NODE_OPTIONS'] = nodeOptions;

/** How a command ended, and what it wrote. */
export interface ArtRun {
  code: number | null;
  output: string;
  errors: string;
}

/** The command `art` in its own process, killed at the end of the test. */
export function startArt(cwd: string, ...argv: string[]): ChildProcess {
  const child = spawnArt(cwd, argv);
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** A folder, and variables that replace those of AWS and of proxies. */
export interface Surroundings {
  cwd: string;
  env: Readonly<Record<string, string>>;
}

/**
 * Runs the command to its end, also outside of a test: in this process, which has loaded it, and in one of its own in `pnpm thorough`
 * and where the surroundings are others.
 */
export async function runArt(place: string | Surroundings, ...argv: string[]): Promise<ArtRun> {
  const { cwd, env } = typeof place === 'string' ? { cwd: place } : place;
  if (env === undefined && !isThorough) return runHere(cwd, argv);
  const child = spawnArt(cwd, argv, env);
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    once(child, 'close'),
  ]);
  return { code: code as number | null, output, errors };
}

async function runHere(cwd: string, argv: readonly string[]): Promise<ArtRun> {
  const written = { output: '', errors: '' };
  const code = await runCli(argv, {
    stdin: Readable.from([]),
    stdout: { write: (text) => (written.output += text) },
    stderr: { write: (text) => (written.errors += text) },
    env: environment(),
    cwd,
    signals: new EventEmitter(),
    exit: () => {},
  });
  return { code, ...written };
}

function spawnArt(
  cwd: string,
  argv: readonly string[],
  shell?: Readonly<Record<string, string>>,
): ChildProcess {
  return spawn(process.execPath, [main, ...argv], { cwd, env: environment(shell), timeout: 480_000 });
}

function environment(shell?: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const { FORCE_COLOR: _, GITHUB_STEP_SUMMARY: __, ...given } = process.env;
  const isKept = (name: string): boolean => shell === undefined || !/^AWS_|_proxy$/i.test(name);
  const env = Object.fromEntries(Object.entries(given).filter(([name]) => isKept(name)));
  return { ...env, ...shell, NODE_OPTIONS: nodeOptions };
}

export async function samplesOf(folder: string): Promise<SampleRecord[]> {
  const samples: SampleRecord[] = [];
  for await (const { record } of readSamples(folder)) samples.push(record);
  return samples;
}
