import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { JudgeModule, KeptJudge } from '@art/eval';
import { ArtError, describeThrown, joinSentences } from '@art/ground';
import { moduleAdvice } from '@art/local';

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
  const judge = await JudgeModule.open(path, { timeoutMs }).catch((cause: unknown) => {
    const { message } = describeThrown(cause);
    const advice = moduleAdvice(message);
    // Any other error is the module's own, and its stack says where.
    if (advice === undefined) throw cause;
    throw new ArtError({
      code: 'ART_INVALID_OPTION',
      message: joinSentences(
        `Expected --reward to be a module, got ${file}, which Node does not load: ${message}`,
        advice,
      ),
      cause,
    });
  });
  return cache === undefined ? judge : KeptJudge.open(judge, resolve(cwd, cache));
}
