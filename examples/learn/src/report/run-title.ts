import type { RunKind } from '../options.ts';
import { spoilingWords } from '../spoil.ts';

/** A kind of run, as the pictures name it. */
export function runTitle(run: RunKind): string {
  return run === 'exact' ? 'exact tokens and logprobs' : spoilingWords[run];
}
