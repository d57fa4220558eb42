import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { JudgeModule, KeptJudge } from '@art/eval';
import { ArtError } from '@art/ground';

/**
 * The judge that a module exports, in its own thread.
 * @param cache folder of its judgements @default they are not kept
 * @throws ArtError `ART_INVALID_OPTION`
 */
export async function loadReward(
  file: string,
  cwd: string,
  timeoutMs: number | undefined,
  cache?: string,
): Promise<JudgeModule | KeptJudge> {
  const path = resolve(cwd, file);
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true)
    throw new ArtError({
      code: 'ART_INVALID_OPTION',
      message: `Expected --reward to be an existing file, got ${file}, and there is none at ${path}.`,
    });
  const judge = await JudgeModule.open(path, { timeoutMs });
  return cache === undefined ? judge : KeptJudge.open(judge, resolve(cwd, cache));
}
