import type { SampleRecord } from '@art/trajectories';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { readSamples } from '@art/eval/records';
import { onTestFinished } from 'vitest';

const main = join(import.meta.dirname, '../../../../command/cli/src/main.ts');
export const nodeOptions = '--conditions=@art/source --no-warnings';

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

/** The same until it ends, also outside of a test. */
export async function runArt(place: string | Surroundings, ...argv: string[]): Promise<ArtRun> {
  const { cwd, env } = typeof place === 'string' ? { cwd: place } : place;
  const child = spawnArt(cwd, argv, env);
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    once(child, 'close'),
  ]);
  return { code: code as number | null, output, errors };
}

function spawnArt(
  cwd: string,
  argv: readonly string[],
  shell?: Readonly<Record<string, string>>,
): ChildProcess {
  const { FORCE_COLOR: _, GITHUB_STEP_SUMMARY: __, ...given } = process.env;
  const isKept = (name: string): boolean => shell === undefined || !/^AWS_|_proxy$/i.test(name);
  const env = Object.fromEntries(Object.entries(given).filter(([name]) => isKept(name)));
  return spawn(process.execPath, [main, ...argv], {
    cwd,
    env: { ...env, ...shell, NODE_OPTIONS: nodeOptions },
    timeout: 480_000,
  });
}

export async function samplesOf(folder: string): Promise<SampleRecord[]> {
  const samples: SampleRecord[] = [];
  for await (const { record } of readSamples(folder)) samples.push(record);
  return samples;
}
