import { join } from 'node:path';

/** Where everything of a run lies. */
export const runFiles = {
  run: 'run.json',
  samples: 'samples.jsonl',
  status: 'status.json',
  results: 'results.json',
  transcripts: 'transcripts.jsonl',
  journal: 'journal',
} as const;

export type RunFile = keyof typeof runFiles;

export function runPath(folder: string, file: RunFile): string {
  return join(folder, runFiles[file]);
}
