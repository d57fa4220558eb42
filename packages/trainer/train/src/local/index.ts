export { byteTokenizer, writeByteTokenizer } from './tokenizer/byte-tokenizer.ts';
export type { PolicyShape } from './model/policy-shape.ts';
export type { LoraOptions } from './model/policy-weights.ts';
export { localService } from './session/local-service.ts';
export { LocalSession, type LocalSessionOptions } from './session/local-session.ts';
export { type WordTokenizer, writeWordTokenizer } from './tokenizer/word-tokenizer.ts';
