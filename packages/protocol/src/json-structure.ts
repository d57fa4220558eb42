import { maxJsonDepth } from './json-value.ts';
import {
  innerLevel,
  outermostLevel,
  type StrictLevel,
  strictNameFault,
  type StrictNameRules,
} from './strict-names.ts';

/** What is wrong with the structure of a JSON text, and where. */
export interface JsonStructureFault {
  what: string;
  at: number;
}

// Numbers, words, commas and colons say nothing about the structure and are skipped at the speed of the engine.
const structural = /["{}[\]]/g;
const afterString = /[ \t\n\r]*:/y;

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
  const levels: StrictLevel[] = [];
  let depth = 0;
  let lastName = '';
  structural.lastIndex = 0;
  for (;;) {
    if (!structural.test(text)) return undefined;
    const at = structural.lastIndex - 1;
    const character = text[at];
    if (character === '"') {
      const end = endOfString(text, at);
      structural.lastIndex = end;
      const level = levels.at(-1);
      if (level === undefined) continue;
      afterString.lastIndex = end;
      if (!afterString.test(text)) continue;
      const raw = text.slice(at + 1, end - 1);
      lastName = raw.includes('\\') ? (JSON.parse(text.slice(at, end)) as string) : raw;
      const what = strictNameFault(lastName, level);
      if (what !== undefined) return { what, at };
    } else if (character === '{' || character === '[') {
      if (depth >= maxJsonDepth) return { what: `nested deeper than ${maxJsonDepth} levels`, at };
      depth += 1;
      if (strict !== false) {
        const outer = levels.at(-1);
        levels.push(outer === undefined ? outermostLevel(strict) : innerLevel(outer, lastName));
      }
      lastName = '';
    } else {
      depth -= 1;
      levels.pop();
      lastName = '';
    }
  }
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
