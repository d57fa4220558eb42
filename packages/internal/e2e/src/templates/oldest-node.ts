import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { workspaceRoot } from '../readmes/readme.ts';

/**
 * Installs the oldest Node that the packages name: the sources run on a newer one here, and what that has and the old one lacks
 * would be noticed by users first.
 * @returns the folder of the program
 */
export async function installOldestNode(folder: string, cache: string): Promise<string> {
  const manifest = JSON.parse(
    await readFile(join(workspaceRoot, 'packages/command/cli/package.json'), 'utf8'),
  ) as {
    engines: { node: string };
  };
  const version = /^>=(\d+\.\d+)$/.exec(manifest.engines.node)![1];
  const name = `node-${process.platform}-${process.arch}`;
  await promisify(execFile)(
    'npm',
    ['install', '--prefix', folder, '--no-audit', '--no-fund', '--prefer-offline', `${name}@${version}.0`],
    { env: { ...process.env, npm_config_cache: cache } },
  );
  return join(folder, 'node_modules', name, 'bin');
}
