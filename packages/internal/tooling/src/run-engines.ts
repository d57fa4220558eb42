/**
 * Runs everything that needs a real engine or a real trainer: the script `engines` of every package and example that
 * has one, one after the other. All of them run, also after a failure; the closing lines and the exit code say how each
 * ended.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { workspaceManifests, workspaceRoot } from './workspace-manifests.ts';

const folders = workspaceManifests()
  .filter(({ manifest }) => 'engines' in manifest.scripts)
  .map(({ folder }) => folder);

console.log(`Against real engines and trainers, one after the other: ${folders.join(', ')}.
Linux on x64 with AVX2, Python 3.11 to 3.14, 6 GB of free memory; the first time also 14 GB of disk, for vLLM, PyTorch and the
trainers. Some ten minutes on two processors that have nothing else to do. ART_ENGINE_CALLS=5000 compares more calls.`);

const results = folders.map((folder) => {
  console.log(`\n== ${folder}`);
  const startedMs = performance.now();
  const { status, signal } = spawnSync(join(workspaceRoot, 'node_modules/.bin/pnpm'), ['run', 'engines'], {
    cwd: join(workspaceRoot, folder),
    stdio: 'inherit',
  });
  // Ctrl-C is for all of them.
  if (signal === 'SIGINT' || status === 130) process.exit(130);
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(0);
  return { isGood: status === 0, line: `${status === 0 ? 'passed' : 'failed'}  ${folder} (${seconds} s)` };
});

console.log(`\n${results.map(({ line }) => line).join('\n')}`);
if (results.length === 0 || results.some(({ isGood }) => !isGood)) process.exitCode = 1;
