import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { defineConfig, type TestProjectConfiguration, type ViteUserConfig } from 'vitest/config';
import { patienceMs } from './patience.ts';
import { TestReporter } from './test-reporter.ts';

const tests = 'src/**/*.test.ts';
const { devDependencies = {} } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  devDependencies?: Record<string, string>;
};

/** Signs of what concerns all of a process: its modules, timers and `fetch`, what is open in it, its memory. */
const ownProcess =
  /vi\.mock\(|useFakeTimers|in-fake-time|spyOn\(globalThis|getActiveResourcesInfo|memoryUsage/;

/**
 * A process for each file would take longer than the tests in it, so files share processes, and restore what they
 * change. Only those that replace or count what concerns all of a process have one of their own: a connection which
 * an earlier file left would be among the timers of a fake clock.
 */
function projects(): TestProjectConfiguration[] {
  const name = basename(process.cwd());
  const alone = globSync(tests).filter((file) => ownProcess.test(readFileSync(file, 'utf8')));
  const shared: TestProjectConfiguration = {
    extends: true,
    test: { name, include: [tests], exclude: alone, isolate: false },
  };
  if (alone.length === 0) return [shared];
  return [shared, { extends: true, test: { name: `${name}, own process`, include: alone, isolate: true } }];
}

/**
 * Tests run against the TypeScript sources of sibling packages, so nothing has to be built first.
 * `ssr.resolve.conditions` is the list that vitest consults for Node tests.
 */
const config: ViteUserConfig = defineConfig({
  ssr: { resolve: { conditions: ['@art/source', 'node', 'development|production'] } },
  test: {
    projects: projects(),
    reporters: ['default', new TestReporter()],
    // Time-outs are for what hangs: a busy machine is slow, not wrong. They fit one that is a quarter as fast.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: patienceMs } },
    // Hundreds of agents are started as processes: what the first of them compiled serves the others, for half of their time.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, '../../../../node_modules/.cache/art-compile') },
    setupFiles: [
      join(import.meta.dirname, 'patient-wait-for.ts'),
      ...('fast-check' in devDependencies ? [join(import.meta.dirname, 'property-seed-setup.ts')] : []),
    ],
    restoreMocks: true,
  },
});

export default config;
