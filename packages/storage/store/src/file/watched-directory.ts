import { decodeName } from './file-name-codec.ts';

/**
 * What a watched directory is for: on the way to the bucket, or inside it. `begun` is the beginning of a long segment that
 * the names in this directory continue.
 */
export type DirectoryRole =
  | { kind: 'above'; next: string; further: readonly string[] }
  | { kind: 'keys'; keysBegin: string; begun: string };

/** The role of the root of a store, for a bucket whose directory is `names` below it. */
export function roleAbove(names: readonly string[]): DirectoryRole {
  const [next, ...further] = names;
  return next === undefined ? { kind: 'keys', keysBegin: '', begun: '' } : { kind: 'above', next, further };
}

/** The role of a directory inside another one; undefined where no key with the prefix can be below it. */
export function roleOfChild(parent: DirectoryRole, name: string, prefix: string): DirectoryRole | undefined {
  if (parent.kind === 'above') return name === parent.next ? roleAbove(parent.further) : undefined;
  const decoded = decodeName(name, false, parent.begun);
  if (decoded === undefined || decoded.kind === 'file') return undefined;
  if (decoded.kind === 'part') {
    return { kind: 'keys', keysBegin: parent.keysBegin, begun: decoded.begun };
  }
  const keysBegin = `${parent.keysBegin}${decoded.segment}/`;
  return keysBegin.startsWith(prefix) || prefix.startsWith(keysBegin)
    ? { kind: 'keys', keysBegin, begun: '' }
    : undefined;
}

/** The key of a file inside a directory; undefined where it is none, or not under the prefix. */
export function keyOfFile(parent: DirectoryRole, name: string, prefix: string): string | undefined {
  if (parent.kind === 'above') return undefined;
  const decoded = decodeName(name, true, parent.begun);
  if (decoded?.kind !== 'file') return undefined;
  const key = parent.keysBegin + decoded.segment;
  return key.startsWith(prefix) ? key : undefined;
}
