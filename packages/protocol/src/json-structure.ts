import { maxJsonDepth } from './json-value.ts';

/** What is wrong with the structure of a JSON text, and where. */
export interface JsonStructureFault {
  what: string;
  at: number;
}

export interface JsonStructureOptions {
  /** Also find names that occur twice in an object, and names that reach for a prototype. */
  strictNames: boolean;
}

interface OpenObject {
  names: Set<string>;
  /** Whether it is the value of a member called "constructor". */
  isConstructor: boolean;
}

// Numbers, words, commas and colons say nothing about the structure and are skipped at the speed of the engine.
const structural = /["{}[\]]/g;
const afterString = /[ \t\n\r]*:/y;

/** The first fault in the structure of a text that is known to be JSON. */
export function findStructureFault(
  text: string,
  { strictNames }: JsonStructureOptions,
): JsonStructureFault | undefined {
  // A text this short has no room for so many brackets, or for two members.
  if (text.length <= (strictNames ? 2 : 2 * maxJsonDepth)) return undefined;
  const open: (OpenObject | undefined)[] = [];
  let lastName = '';
  structural.lastIndex = 0;
  for (;;) {
    if (!structural.test(text)) return undefined;
    const at = structural.lastIndex - 1;
    switch (text[at]) {
      case '{':
      case '[':
        // A scalar inside the innermost list is a level of its own, as the writer counts.
        if (open.length >= maxJsonDepth) return { what: `nested deeper than ${maxJsonDepth} levels`, at };
        open.push(
          strictNames && text[at] === '{'
            ? { names: new Set(), isConstructor: lastName === 'constructor' }
            : undefined,
        );
        lastName = '';
        break;
      case '}':
      case ']':
        open.pop();
        lastName = '';
        break;
      default: {
        const end = endOfString(text, at);
        structural.lastIndex = end;
        const object = open.at(-1);
        if (object === undefined) break;
        afterString.lastIndex = end;
        if (!afterString.test(text)) break;
        const raw = text.slice(at + 1, end - 1);
        const name = raw.includes('\\') ? (JSON.parse(text.slice(at, end)) as string) : raw;
        const what = nameFault(name, object);
        if (what !== undefined) return { what, at };
        object.names.add(name);
        lastName = name;
      }
    }
  }
}

/** What is wrong with one more member of an object, in a text that must not surprise its reader. */
export function nameFault(name: string, object: OpenObject): string | undefined {
  if (object.names.has(name)) return `the member ${shortName(name)} occurs twice`;
  if (name === '__proto__')
    return 'a member "__proto__" is refused, since it could change what objects inherit';
  if (name === 'prototype' && object.isConstructor)
    return 'a member "constructor" with a "prototype" is refused, since it could change what objects inherit';
  return undefined;
}

function shortName(name: string): string {
  return JSON.stringify(name.length > 60 ? `${name.slice(0, 60)}...` : name);
}

function endOfString(text: string, start: number): number {
  let at = start;
  for (;;) {
    at = text.indexOf('"', at + 1);
    let backslashes = 0;
    while (text[at - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return at + 1;
  }
}
