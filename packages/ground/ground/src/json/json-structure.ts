import { maxJsonDepth } from './json-value.ts';

/** Which names of a JSON text must not occur twice in their object. */
export interface StrictNameRules {
  /** Only these members of the outermost object, each of them once, and everything inside of them. */
  uniqueIn: readonly string[];
}

/** A fault in the structure of a JSON text, and its place. */
export interface JsonStructureFault {
  what: string;
  at: number;
}

/** An object or a list that is open. */
interface Level {
  /** The names that must be unique here: every one, or these. */
  unique: 'all' | ReadonlySet<string>;
  seen: Set<string>;
  /** True if it is the value of a member called "constructor". */
  isConstructor: boolean;
}

// Numbers, words, commas and colons say nothing about the structure and are skipped at the speed of the engine.
const structural = /["{}[\]]/g;
const colon = /[ \t\n\r]*:/y;
const none: ReadonlySet<string> = new Set();

/**
 * The first fault in the structure of a text that is known to be JSON: nesting that is too deep and, with `strict`, names
 * that are refused.
 */
export function findStructureFault(
  text: string,
  strict: boolean | StrictNameRules,
): JsonStructureFault | undefined {
  // A text this short has no room for so many brackets, or for two members.
  if (text.length <= (strict === false ? 2 * maxJsonDepth : 2)) return undefined;
  const levels: Level[] = [];
  let depth = 0;
  let lastName = '';
  structural.lastIndex = 0;
  for (;;) {
    if (!structural.test(text)) return undefined;
    const at = structural.lastIndex - 1;
    const character = text[at];
    if (character === '"') {
      const end = endOfString(text, at + 1);
      structural.lastIndex = end;
      const level = levels.at(-1);
      if (level === undefined || !isName(text, end)) continue;
      const raw = text.slice(at + 1, end - 1);
      lastName = raw.includes('\\') ? (JSON.parse(text.slice(at, end)) as string) : raw;
      const what = nameFault(lastName, level);
      if (what !== undefined) return { what, at };
      continue;
    }
    if (character === '{' || character === '[') {
      if (depth >= maxJsonDepth) return { what: `nested deeper than ${maxJsonDepth} levels`, at };
      depth += 1;
      if (strict !== false) levels.push(openLevel(strict, levels.at(-1), lastName));
    } else {
      depth -= 1;
      levels.pop();
    }
    lastName = '';
  }
}

function openLevel(rules: true | StrictNameRules, outer: Level | undefined, name: string): Level {
  const outermost = rules === true ? 'all' : new Set(rules.uniqueIn);
  const inner = outer !== undefined && mustBeUnique(name, outer) ? 'all' : none;
  return {
    unique: outer === undefined ? outermost : inner,
    seen: new Set(),
    isConstructor: name === 'constructor',
  };
}

function mustBeUnique(name: string, { unique }: Level): boolean {
  return unique === 'all' || unique.has(name);
}

/** Notes one more member name. The reason why it is refused, if it is. */
function nameFault(name: string, level: Level): string | undefined {
  if (level.seen.has(name)) return `the member ${shortName(name)} occurs twice`;
  if (name === '__proto__')
    return 'a member "__proto__" is refused, since it could change what objects inherit';
  if (name === 'prototype' && level.isConstructor)
    return 'a member "constructor" with a "prototype" is refused, since it could change what objects inherit';
  if (mustBeUnique(name, level)) level.seen.add(name);
  return undefined;
}

function shortName(name: string): string {
  return JSON.stringify(name.length > 60 ? `${name.slice(0, 60)}...` : name);
}

/**
 * True if a member name of a JSON text has an escape in it. V8 13.6 (Node 24) can read such a name as another one:
 * where a name that ends with a backslash stood at the same place in an earlier object, `JSON.parse` takes `"x\u0041"`
 * for `x\`.
 */
export function hasEscapedName(text: string): boolean {
  let at = 0;
  for (;;) {
    // Every backslash of a JSON text is in a string.
    at = text.indexOf('\\', at);
    if (at === -1) return false;
    at = endOfString(text, at);
    if (at === -1) return false;
    if (isName(text, at)) return true;
  }
}

/** True if the string that ends at this place is the name of a member. */
function isName(text: string, end: number): boolean {
  colon.lastIndex = end;
  return colon.test(text);
}

/** The place behind the string that is open at `from`; -1 where it is not closed. */
function endOfString(text: string, from: number): number {
  let at = from;
  for (;;) {
    at = text.indexOf('"', at);
    if (at === -1) return -1;
    let backslashes = 0;
    while (text[at - 1 - backslashes] === '\\') backslashes += 1;
    at += 1;
    if (backslashes % 2 === 0) return at;
  }
}
