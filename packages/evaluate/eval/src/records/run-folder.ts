import { join } from 'node:path';
import { replaceFile } from '@art/store';

/** Where everything of a run lies. */
export const runFiles = {
  run: 'run.json',
  samples: 'samples.jsonl',
  status: 'status.json',
  results: 'results.json',
  transcripts: 'transcripts.jsonl',
  spending: 'spending.jsonl',
  human: 'human.jsonl',
  journal: 'journal',
} as const;

export type RunFile = keyof typeof runFiles;

export function runPath(folder: string, file: RunFile): string {
  return join(folder, runFiles[file]);
}

/** Replaces a file of a run in one step. Only its owner may read it: a run has what users asked and agents were told. */
export function replaceRunFile(
  folder: string,
  file: RunFile,
  text: string,
  { isDurable = true }: { isDurable?: boolean } = {},
): Promise<void> {
  return replaceFile(runPath(folder, file), text, { isDurable });
}
