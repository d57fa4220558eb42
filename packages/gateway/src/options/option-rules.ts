import { refuseOption } from '@art/protocol';

/** Checks what was given for one option, and fills in the default. @throws ArtError `ART_INVALID_OPTION` naming the option */
export type OptionRule<Value> = (given: unknown, option: string) => Value;

type Rules = Readonly<Record<string, OptionRule<unknown>>>;

/** What rules make of options: every member is there. */
export type Resolved<Options extends Rules> = {
  readonly [Name in keyof Options]: ReturnType<Options[Name]>;
};

/**
 * Reads an options object by a rule for each of its members.
 * @param place how the object is called in messages, `` for the outermost one
 * @throws ArtError `ART_INVALID_OPTION` also where it is no object or has a member that nobody knows
 */
export function readOptions<Options extends Rules>(
  place: string,
  given: unknown,
  rules: Options,
): Resolved<Options> {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    refuseOption(place === '' ? 'options' : place, 'an object', given);
  const prefix = place === '' ? '' : `${place}.`;
  const names = Object.keys(rules);
  for (const name of Object.keys(given))
    if (!names.includes(name)) refuseOption(prefix + name, `one of ${names.join(', ')}`, name);
  const values = given as Record<string, unknown>;
  const resolved = names.map((name) => [name, rules[name]!(values[name], prefix + name)]);
  return Object.fromEntries(resolved) as Resolved<Options>;
}

/** An object with rules of its own. */
export function object<Options extends Rules>(rules: Options): OptionRule<Resolved<Options>> {
  return (given, option) => readOptions(option, given ?? {}, rules);
}

export function whole(
  fallback: number,
  min: number,
  max: number = Number.MAX_SAFE_INTEGER,
): OptionRule<number> {
  return (given, option) => {
    const value = given ?? fallback;
    if (Number.isInteger(value) && (value as number) >= min && (value as number) <= max)
      return value as number;
    return refuseOption(option, `a whole number from ${min} to ${max}`, given);
  };
}

/** Milliseconds that a timer can hold; longer ones wrap around to 1 ms. */
export function duration(fallback: number, min = 1): OptionRule<number> {
  return whole(fallback, min, 2 ** 31 - 1);
}

export function flag(fallback: boolean): OptionRule<boolean> {
  return (given = fallback, option) =>
    typeof given === 'boolean' ? given : refuseOption(option, 'true or false', given);
}

export const text: OptionRule<string | undefined> = (given, option) =>
  given === undefined || (typeof given === 'string' && given !== '')
    ? given
    : refuseOption(option, 'text', given);

/** @param fallback also where there is none: undefined */
export function oneOf<const Value extends string, Fallback extends Value | undefined>(
  allowed: readonly Value[],
  fallback: Fallback,
): OptionRule<Value | Fallback> {
  return (given, option) =>
    given === undefined
      ? fallback
      : (allowed.find((value) => value === given) ??
        refuseOption(option, `one of ${allowed.join(', ')}`, given));
}

/** As a rule says, where the option is given at all. */
export function ifGiven<Value>(rule: OptionRule<Value>): OptionRule<Value | undefined> {
  return (given, option) => (given === undefined ? undefined : rule(given, option));
}
