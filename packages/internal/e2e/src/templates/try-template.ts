import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ResultsRecord } from '@art/eval/records';

/** Report of a newcomer's first steps. */
export interface TemplateReport {
  framework: string;
  /** From the first command to the first table. */
  toTableMs: number;
  installMs: number;
  installedBytes: number;
  meanReward: number | null;
  solved: string;
  /** Names of the doctor's checks that found something. */
  faults: string[];
  warnings: string[];
  modelCalls: number | null;
}

const run = promisify(execFile);

/**
 * Does what a newcomer does, with npm alone and in an empty folder, then checks types and asks the doctor.
 * @param nodeFolder of the program `node`
 * @throws Error where a command fails, with what it wrote
 */
export async function tryTemplate(
  framework: string,
  root: string,
  { registry, cache, nodeFolder }: { registry: string; cache: string; nodeFolder: string },
): Promise<TemplateReport> {
  const name = `try-${framework}`;
  const folder = join(root, name);
  // As a newcomer, who has no key for a model.
  const {
    NODE_OPTIONS: _,
    GITHUB_STEP_SUMMARY: __,
    OPENAI_API_KEY: ___,
    ANTHROPIC_API_KEY: ____,
    ...inherited
  } = process.env;
  const env = {
    ...inherited,
    PATH: `${nodeFolder}:${inherited['PATH']}`,
    'npm_config_@art:registry': registry,
    npm_config_cache: cache,
  };
  const npm = (cwd: string, ...words: string[]): Promise<{ stdout: string }> =>
    run('npm', words, { cwd, env, maxBuffer: 1e8 });

  const startedAtMs = performance.now();
  await npm(root, 'create', '--yes', '@art/agent', name, '--', '--framework', framework);
  const createdAtMs = performance.now();
  await npm(folder, 'install', '--no-audit', '--no-fund');
  const installMs = performance.now() - createdAtMs;
  const { stdout } = await npm(folder, 'run', '--silent', 'eval', '--', '--json', '--min-reward', '0.7');
  const toTableMs = performance.now() - startedAtMs;
  const results = JSON.parse(stdout) as ResultsRecord;
  await npm(folder, 'run', 'typecheck');
  const examined = await run('npx', ['--no-install', 'art', 'doctor', 'agent.ts', '--json'], {
    cwd: folder,
    env,
    maxBuffer: 1e8,
  }).catch((error: { stdout: string }) => error);
  const findings = examined.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: string; verdict?: string });
  const found = (verdict: string): string[] =>
    findings.filter((finding) => finding.verdict === verdict).map(({ id }) => id);
  return {
    framework,
    toTableMs,
    installMs,
    installedBytes: await sizeOf(join(folder, 'node_modules')),
    meanReward: results.mean?.value ?? null,
    solved: JSON.stringify(results.outcomes),
    faults: found('fault'),
    warnings: found('warning'),
    modelCalls: results.modelCalls,
  };
}

async function sizeOf(folder: string): Promise<number> {
  const { stdout } = await run('du', ['-sk', folder]);
  return Number(stdout.split('\t')[0]) * 1024;
}
