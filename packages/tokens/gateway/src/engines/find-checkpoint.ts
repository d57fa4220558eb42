import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * The folder of a model's files: the model itself where it is a folder, else where Hugging Face's libraries have put a
 * download of it. Nothing is downloaded here.
 * Source: huggingface_hub, "Understand caching".
 */
export function findCheckpoint(
  model: string,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (isFolder(model)) return model;
  const home = env['HF_HOME'] ?? join(homedir(), '.cache', 'huggingface');
  const cache = env['HF_HUB_CACHE'] ?? join(home, 'hub');
  const repository = join(cache, `models--${model.replaceAll('/', '--')}`);
  try {
    const revision = readFileSync(join(repository, 'refs', 'main'), 'utf8').trim();
    const snapshot = join(repository, 'snapshots', revision);
    return isFolder(snapshot) ? snapshot : undefined;
  } catch {
    // Not downloaded.
    return undefined;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
