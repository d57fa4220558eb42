import { createHash } from 'node:crypto';
import { RewardFunction } from '@art/agent';
import type { RewardContext } from '@art/reward';
import type { Probe } from '../task.ts';
import { type Limits, runTests } from '../workspace/run-tests.ts';
import { type Files, withWorkspace } from '../workspace/workspace.ts';
import { failedProbe } from './failed-probe.ts';

export interface Migration {
  before: Files;
  /** Undefined where there is too much of it. */
  after: Files | undefined;
  probes: readonly Probe[];
}

/** 1 for a package that is migrated, whose tests are untouched and pass, and that behaves as before; else 0. */
export class MigrationReward extends RewardFunction<Migration, number> {
  readonly #limits: Limits;

  constructor(limits: Limits) {
    super();
    this.#limits = limits;
  }

  protected override async evaluate(migration: Migration, context: RewardContext): Promise<number> {
    const problem = problemOf(migration) ?? (await this.#problemInUse(migration, context));
    if (problem !== undefined) context.remark?.(problem);
    return problem === undefined ? 1 : 0;
  }

  /** In a fresh copy: processes that the tests left behind, or files that they made, are not in it. */
  #problemInUse({ after, probes }: Migration, { signal }: RewardContext): Promise<string | undefined> {
    return withWorkspace(after ?? {}, async ({ folder }) => {
      const tests = await runTests(folder, this.#limits, signal);
      if (tests.kind !== 'ended') return `tests: ${tests.kind}`;
      if (tests.exitCode !== 0) return 'tests: failed';
      return failedProbe(folder, probes, this.#limits, signal);
    });
  }
}

/** Files that must stay as they were. */
const isProtected = (path: string): boolean => /^(test|node_modules)\//.test(path);

/** The problem that the files show. */
function problemOf({ before, after }: Migration): string | undefined {
  if (after === undefined) return 'files: too many';
  if (hashOf(before) !== hashOf(after)) return 'tests or dependency: changed';
  const manifest = manifestOf(after);
  if (manifest['type'] !== 'module' || manifest['name'] !== manifestOf(before)['name'])
    return 'package.json: not a module';
  const versions = Object.values(manifest['dependencies'] ?? {});
  if (versions.length === 0 || !versions.every((version) => /^[~^]?2\b/.test(String(version))))
    return 'package.json: the dependency is not at its version 2';
  const left = Object.entries(after).find(
    ([path, text]) =>
      !isProtected(path) &&
      (path.endsWith('.cjs') ||
        (/\.m?js$/.test(path) && /\brequire\s*\(|\bcreateRequire\b|\bmodule\.exports\b/.test(text))),
  );
  return left === undefined ? undefined : `${left[0]}: still CommonJS`;
}

function hashOf(files: Files): string {
  const hash = createHash('sha256');
  for (const path of Object.keys(files).filter(isProtected).toSorted())
    hash.update(JSON.stringify([path, files[path]]));
  return hash.digest('hex');
}

function manifestOf(files: Files): Record<string, unknown> {
  try {
    return Object(JSON.parse(files['package.json'] ?? '')) as Record<string, unknown>;
  } catch {
    return {};
  }
}
