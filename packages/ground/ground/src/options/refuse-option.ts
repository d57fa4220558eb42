import { ArtError } from '../errors/art-error.ts';
import { describeValue } from '../errors/describe-value.ts';

/**
 * Refuses an option or an argument; every package of the toolkit does it by this function, in these words.
 * @param name as its user writes it: `agents.math.cwd`, `--out`
 * @param expected what it has to be, as the end of a sentence
 * @param also `advice`, a sentence on what to do, and `cause`
 * @throws ArtError `ART_INVALID_OPTION` that names the option, what was expected and what came
 */
export function refuseOption(
  name: string,
  expected: string,
  got: unknown,
  also: { advice?: string; cause?: unknown } = {},
): never {
  throw new ArtError({
    code: 'ART_INVALID_OPTION',
    message: `Expected \`${name}\` to be ${expected}, got ${describeValue(got)}.${also.advice === undefined ? '' : ` ${also.advice}`}`,
    cause: also.cause,
  });
}
