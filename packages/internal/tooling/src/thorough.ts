/** True in `pnpm thorough`, which plays what `npm test` has no time for: `isThorough ? 40 : 3` for a count. */
export const isThorough = process.env['ART_THOROUGH'] === '1';

/**
 * Returns the inputs of a test: all of them in `pnpm thorough`, the first ones in `npm test`. So the short form is the same test, and
 * the first inputs are those that differ most.
 */
export function shortlist<const T>(inputs: readonly T[], count: number): readonly T[] {
  if (!(count >= 1 && count < inputs.length))
    throw new RangeError(`Expected 1 to ${inputs.length - 1} inputs for npm test, got ${count}.`);
  return isThorough ? inputs : inputs.slice(0, count);
}
