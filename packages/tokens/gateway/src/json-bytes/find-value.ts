import { JsonScanner } from './json-scanner.ts';

/** A value's place: from its first byte to the one after its last. */
export interface JsonRange {
  start: number;
  end: number;
}

/**
 * Finds the value at a path of member names, such as `['metadata', 'session_id']`; of members with the same name the last
 * one counts. undefined where a part of the path is missing or is no object.
 * @throws JsonSyntaxError where the bytes are not JSON
 */
export function findValue(bytes: Uint8Array, path: readonly string[]): JsonRange | undefined {
  const scanner = new JsonScanner(bytes);
  const found = find(scanner, path, 0);
  scanner.finish();
  return found;
}

/**
 * The text at a path; undefined where there is none or it is something else.
 * @throws JsonSyntaxError where the bytes are not JSON
 */
export function findString(bytes: Uint8Array, path: readonly string[]): string | undefined {
  const range = findValue(bytes, path);
  return range === undefined ? undefined : new JsonScanner(bytes, range.start, range.end).readString();
}

function find(scanner: JsonScanner, path: readonly string[], index: number): JsonRange | undefined {
  const name = path[index];
  if (name === undefined) {
    scanner.peek();
    const start = scanner.at;
    scanner.skipValue();
    return { start, end: scanner.at };
  }
  if (scanner.skipUnlessObject()) return undefined;
  let found: JsonRange | undefined;
  for (let more = scanner.firstMember(); more; more = scanner.nextMember()) {
    if (scanner.key() === name) found = find(scanner, path, index + 1);
    else scanner.skipValue();
  }
  return found;
}
