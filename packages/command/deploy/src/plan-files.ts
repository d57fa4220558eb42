import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeDirectory, unlessMissing } from '@art/ground';
import { agentcorePaths, type AgentCoreProject, isMerged } from './agentcore-files.ts';
import { digestOf, readRecord, writeDeploymentRecord } from './deployment-record.ts';
import { mergeProject, mergeTargets } from './merge-project.ts';

/**
 * A file, and what is to become of it. `update`: it is as it was written last. `keep`: somebody has changed it, so it stays as it is.
 */
export interface PlannedFile {
  /** From the folder of the project, with `/` between folders. */
  path: string;
  action: 'create' | 'update' | 'merge' | 'replace' | 'keep' | 'same';
  /** Text that it will have. */
  text: string;
  /** In what it differs from what was wanted: lines with `-` for what is there and `+` for what is wanted, or sentences. */
  differences: string[];
}

const mostDifferences = 8;

/**
 * Compares the files with what is in a folder. No file that somebody changed since it was written is replaced unless that is forced;
 * entries are put into `agentcore.json` and `aws-targets.json` beside what is there.
 * @throws ArtError `ART_INVALID_OPTION` where one of these two cannot be read; what reading a file throws
 */
export async function planFiles(
  folder: string,
  files: Readonly<Record<string, string>>,
  { force = false }: { force?: boolean } = {},
): Promise<PlannedFile[]> {
  const { [agentcorePaths.record]: wantedRecord, ...ours } = files;
  const existingRecord = await textIn(folder, agentcorePaths.record);
  const record = readRecord(existingRecord);
  const plan = await Promise.all(
    Object.entries(ours).map(async ([path, wanted]): Promise<PlannedFile> => {
      const existing = await textIn(folder, path);
      if (existing === undefined) return { path, action: 'create', text: wanted, differences: [] };
      if (path === agentcorePaths.project) {
        const merged = mergeProject(existing, JSON.parse(wanted) as AgentCoreProject, record.runtimes, force);
        return planned(path, existing, merged.text, merged.differences);
      }
      if (path === agentcorePaths.targets) return planned(path, existing, mergeTargets(existing, wanted));
      // It was made of what is there.
      if (path === agentcorePaths.settings) return planned(path, existing, wanted);
      if (digestOf(existing) === digestOf(wanted))
        return { path, action: 'same', text: existing, differences: [] };
      const differences = lineDifferences(existing, wanted);
      if (record.files[path] === digestOf(existing))
        return { path, action: 'update', text: wanted, differences };
      return force
        ? { path, action: 'replace', text: wanted, differences }
        : { path, action: 'keep', text: existing, differences };
    }),
  );
  if (wantedRecord === undefined) return plan;
  const next = readRecord(wantedRecord);
  for (const { path, action } of plan)
    // What was kept is not ours: its digest stays that of what we wrote last.
    if (action === 'keep' && !isMerged(path)) {
      delete next.files[path];
      if (record.files[path] !== undefined) next.files[path] = record.files[path];
    }
  const text = writeDeploymentRecord({
    options: next.options,
    files: { ...record.files, ...next.files },
    runtimes: { ...record.runtimes, ...next.runtimes },
  });
  const action = existingRecord === undefined ? 'create' : existingRecord === text ? 'same' : 'update';
  return [...plan, { path: agentcorePaths.record, action, text, differences: [] }];
}

function textIn(folder: string, path: string): Promise<string | undefined> {
  return unlessMissing(readFile(join(folder, path), 'utf8'));
}

/** Writes what a plan creates, updates, merges and replaces. */
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
