import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeDirectory } from '@art/protocol';
import { agentcorePaths, type AgentCoreProject } from './agentcore-files.ts';
import { mergeProject, mergeTargets } from './merge-project.ts';

/** A file, and what is to become of it. `keep`: it is there and says something else, so it stays as it is. */
export interface PlannedFile {
  /** From the folder of the project, with `/` between folders. */
  path: string;
  action: 'create' | 'merge' | 'replace' | 'keep' | 'same';
  /** What it will say. */
  text: string;
  /** In what it differs from what was wanted: lines with `-` for what is there and `+` for what is wanted, or sentences. */
  differences: string[];
}

const mostDifferences = 8;

/**
 * Compares the files with what is in a folder. No file that somebody changed is replaced unless that is forced; entries are put
 * into `agentcore.json` and `aws-targets.json` beside what is there.
 * @throws ArtError `ART_INVALID_OPTION` where one of these two cannot be read; what reading a file throws
 */
export async function planFiles(
  folder: string,
  files: Readonly<Record<string, string>>,
  { force = false }: { force?: boolean } = {},
): Promise<PlannedFile[]> {
  return Promise.all(
    Object.entries(files).map(async ([path, wanted]): Promise<PlannedFile> => {
      const existing = await readFile(join(folder, path), 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined;
        throw error;
      });
      if (existing === undefined) return { path, action: 'create', text: wanted, differences: [] };
      if (path === agentcorePaths.project) {
        const merged = mergeProject(existing, JSON.parse(wanted) as AgentCoreProject, force);
        return planned(path, existing, merged.text, merged.differences);
      }
      if (path === agentcorePaths.targets) return planned(path, existing, mergeTargets(existing, wanted));
      if (existing === wanted) return { path, action: 'same', text: existing, differences: [] };
      const differences = lineDifferences(existing, wanted);
      return force
        ? { path, action: 'replace', text: wanted, differences }
        : { path, action: 'keep', text: existing, differences };
    }),
  );
}

/** Writes what a plan creates, merges and replaces. */
export async function writePlannedFiles(folder: string, plan: readonly PlannedFile[]): Promise<void> {
  for (const { path, action, text } of plan) {
    if (action === 'same' || action === 'keep') continue;
    await makeDirectory(dirname(join(folder, path)));
    await writeFile(join(folder, path), text);
  }
}

function planned(path: string, existing: string, text: string, differences: string[] = []): PlannedFile {
  const action = existing === text ? (differences.length === 0 ? 'same' : 'keep') : 'merge';
  return { path, action, text, differences };
}

function lineDifferences(existing: string, wanted: string): string[] {
  const [theirs, ours] = [existing, wanted].map((text) => text.split('\n'));
  const lines = [
    ...theirs!.filter((line) => !ours!.includes(line)).map((line) => `- ${line}`),
    ...ours!.filter((line) => !theirs!.includes(line)).map((line) => `+ ${line}`),
  ];
  const left = lines.length - mostDifferences;
  if (lines.length === 0) return ['the order of lines, or empty lines'];
  return left > 0 ? [...lines.slice(0, mostDifferences), `and ${left} further lines`] : lines;
}
