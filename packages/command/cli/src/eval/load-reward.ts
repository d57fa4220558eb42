import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Judge } from '@art/eval';
import { ArtError, describeValue } from '@art/ground';

/**
 * The judge that a module exports.
 * @throws ArtError `ART_INVALID_OPTION`
 */
export async function loadReward(file: string, cwd: string): Promise<Judge> {
  const path = resolve(cwd, file);
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true)
    refuse('an existing file', `${file}, and there is none at ${path}`);
  const { default: judge } = (await import(pathToFileURL(path).href)) as { default?: unknown };
  const isJudge =
    typeof judge === 'function' ||
    (typeof judge === 'object' &&
      judge !== null &&
      typeof (judge as { compute?: unknown }).compute === 'function');
  if (!isJudge && typeof (judge as { scores?: unknown } | undefined)?.scores === 'function')
    refuse(
      'a judge of one sample',
      `${file} with ${describeValue(judge)}, which scores the samples of a task relative to each other: their mean would say nothing of the agent. RubricReward judges one alone, PairReward one beside a reference`,
    );
  if (!isJudge)
    refuse(
      'a module whose default export is a RewardFunction or a function',
      `${file} with ${describeValue(judge)}`,
    );
  return judge as Judge;
}

function refuse(expected: string, got: string): never {
  throw new ArtError({
    code: 'ART_INVALID_OPTION',
    message: `Expected --reward to be ${expected}, got ${got}.`,
  });
}
