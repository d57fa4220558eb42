import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const examples = join(import.meta.dirname, '..');

/**
 * The Python of a trainer's own environment, made from its `requirements.txt` on first use: some gigabytes for those with PyTorch.
 * It is whole or not there, whatever interrupts this.
 */
export async function trainerPython(trainer: 'trl' | 'verl' | 'tinker'): Promise<string> {
  const requirements = join(examples, trainer, 'requirements.txt');
  const digest = createHash('sha256')
    .update(await readFile(requirements))
    .digest('hex')
    .slice(0, 12);
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  const folder = join(cache, 'art-trainers', `${trainer}-${digest}`);
  const python = join(folder, 'bin', 'python');
  const isThere = await access(python).then(
    () => true,
    () => false,
  );
  if (isThere) return python;
  console.log(`${trainer} is not there yet and is installed once in ${folder}.`);
  const draft = `${folder}.draft-${process.pid}`;
  try {
    const hasUv = await run('uv', ['--version']).then(
      () => true,
      () => false,
    );
    await (hasUv ? run('uv', ['venv', '-q', draft]) : run('python3', ['-m', 'venv', draft]));
    const own = join(draft, 'bin', 'python');
    await (hasUv
      ? run('uv', ['pip', 'install', '-q', '--python', own, '-r', requirements])
      : run(own, ['-m', 'pip', 'install', '-q', '-r', requirements]));
    await rename(draft, folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return python;
}
