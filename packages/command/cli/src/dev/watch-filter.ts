import { basename, relative, sep } from 'node:path';
import { runFiles } from '@art/eval/records';

/** Built, installed and cached things: they change in bulk, and not because somebody edited the agent. */
const ignoredFolders = new Set(['node_modules', 'dist', 'coverage', '__pycache__', 'venv']);

/** Files that `art eval --out` writes beside the agent: an evaluation must not end the sessions that it runs in. */
const ofEvaluations = new Set<string>([runFiles.run, runFiles.status, runFiles.results]);

// What an agent writes while it works (results, databases, traces) must not end its own session.
const sourceFile = /\.([cm]?[jt]sx?|json|py|ya?ml|toml)$|^\.env(\..+)?$/;

/**
 * Decides for everything below a folder whether a change of it matters.
 * @param isFile undefined where it is not known yet what the path is
 */
export function isSourcePath(root: string, path: string, isFile: boolean | undefined): boolean {
  const name = basename(path);
  const folders = relative(root, path).split(sep).slice(0, -1);
  if (folders.some(isIgnoredFolder)) return false;
  if (path === root || isFile === undefined) return path === root || !isIgnoredName(name);
  return isFile ? sourceFile.test(name) && !ofEvaluations.has(name) : !isIgnoredFolder(name);
}

function isIgnoredFolder(name: string): boolean {
  return ignoredFolders.has(name) || name.startsWith('.');
}

/** As long as nothing is known but the name, a `.env` may be the file that is wanted. */
function isIgnoredName(name: string): boolean {
  return isIgnoredFolder(name) && !sourceFile.test(name);
}
