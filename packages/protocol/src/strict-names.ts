/** Which names of a JSON text must not occur twice in their object. */
export interface StrictNameRules {
  /** Only these members of the outermost object, each of them once, and everything inside of them. */
  uniqueIn: readonly string[];
}

/** An object or a list of a JSON text that is being read under strict rules. */
export interface StrictLevel {
  /** The names that must be unique here: every one, or these. */
  unique: 'all' | ReadonlySet<string>;
  seen: Set<string>;
  /** Whether it is the value of a member called "constructor". */
  isConstructor: boolean;
  isOutermost: boolean;
}

const none: ReadonlySet<string> = new Set();

/** The level of the outermost value. */
export function outermostLevel(rules: true | StrictNameRules): StrictLevel {
  const unique = rules === true ? 'all' : new Set(rules.uniqueIn);
  return { unique, seen: new Set(), isConstructor: false, isOutermost: true };
}

/** The level of a value inside another one; `name` is that of its member, "" in a list. */
export function innerLevel(outer: StrictLevel, name: string): StrictLevel {
  const isUnique = outer.unique === 'all' || (outer.isOutermost && outer.unique.has(name));
  return {
    unique: isUnique ? 'all' : none,
    seen: new Set(),
    isConstructor: name === 'constructor',
    isOutermost: false,
  };
}

/** Notes one more member name. The reason why it is refused, if it is. */
export function strictNameFault(name: string, level: StrictLevel): string | undefined {
  if (level.seen.has(name) && (level.unique === 'all' || level.unique.has(name)))
    return `the member ${shortName(name)} occurs twice`;
  if (name === '__proto__')
    return 'a member "__proto__" is refused, since it could change what objects inherit';
  if (name === 'prototype' && level.isConstructor)
    return 'a member "constructor" with a "prototype" is refused, since it could change what objects inherit';
  if (level.unique === 'all' || level.unique.has(name)) level.seen.add(name);
  return undefined;
}

function shortName(name: string): string {
  return JSON.stringify(name.length > 60 ? `${name.slice(0, 60)}...` : name);
}
