import type { OptionRule } from './option-rules.ts';
import { refuseOption } from './refuse-option.ts';
import { similarName } from './similar-name.ts';

/**
 * A rule for every member of an options type, for `satisfies`: the compiler then tells of one that is missing. Those named by
 * `Other` make something else of what was given.
 */
export type OptionRules<Options, Other extends keyof Options = never> = {
  readonly [Name in keyof Options]-?: OptionRule<Name extends Other ? unknown : Options[Name]>;
};

/** A beginning of fewer letters could be that of many names. */
const fewestLetters = 4;

/** The name is refused in any case, so a bold guess does no harm. */
const guess = ({ length }: string): number => Math.max(2, length / 3);

type Rules = Readonly<Record<string, OptionRule<unknown>>>;

/** Options as the rules read them: every member is there. */
export type ReadOptions<Of extends Rules> = { readonly [Name in keyof Of]: ReturnType<Of[Name]> };

/**
 * Reads an options object by a rule for each of its members. A name without a rule is refused: a misspelt one would silently
 * leave the default in force.
 * @param owner whose options they are, `RolloutClient`
 * @param prefix of the members in messages, `retry.`
 * @throws ArtError `ART_INVALID_OPTION` that names the option, and the one that was probably meant
 */
export function readOptions<Of extends Rules>(
  owner: string,
  given: unknown,
  rules: Of,
  prefix = '',
): ReadOptions<Of> {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    refuseOption(prefix === '' ? 'options' : owner, 'an object', given);
  const names = Object.keys(rules);
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || names.includes(name)) continue;
    const begun = name.length < fewestLetters ? undefined : names.find((known) => known.startsWith(name));
    const meant = similarName(name, names, guess) ?? begun;
    const advice = meant === undefined ? `There are ${names.join(', ')}.` : `Did you mean ${meant}?`;
    refuseOption(`options of ${owner}`, 'known ones', name, { advice });
  }
  const values = given as Record<string, unknown>;
  const read = names.map((name) => [name, rules[name]!(values[name], prefix + name)]);
  return Object.fromEntries(read) as ReadOptions<Of>;
}

/** An option that is an object with rules of its own. Its members are called `retry.attempts` in messages. */
export function anObject<Of extends Rules>(rules: Of): OptionRule<ReadOptions<Of>> {
  return (given, option) => readOptions(option, given, rules, `${option}.`);
}
